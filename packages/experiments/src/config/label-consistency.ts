/** Names that tables and charts tell protocols apart by: a label is no other protocol's. */
import { basename } from 'node:path';
import { CATEGORY_RANDOMIZERS, NUMBER_RANDOMIZERS } from '@shuffle-dp/randomizers';
import type { Refuse } from '../documents/config-error.ts';
import { asList } from '../documents/fields.ts';
import { PROTOCOL_CARDS } from './protocol-cards.ts';
import type { ExperimentConfig } from './schema.ts';

type Protocol = ExperimentConfig['protocols'][number];

/** Protocols without labels may share a title: their parameters tell them apart. */
export function checkLabels(config: ExperimentConfig, refuse: Refuse): void {
  const { protocols } = config;
  protocols.forEach(({ label }, i) => {
    if (label === undefined) return;
    const path = ['protocols', i, 'label'];
    const first = protocols.findIndex((other) => other.label === label);
    if (first !== i) refuse(path, label, `a label other than that of protocols[${first}]`);
    const titled = protocols.findIndex(
      (other) => other.label === undefined && titlesOf(other, config).includes(label),
    );
    if (titled >= 0) refuse(path, label, `a label other than the default name of protocols[${titled}]`);
  });
}

/** What a protocol is called without a label: by its module, its randomizers, or its kind. */
function titlesOf(protocol: Protocol, { budgets }: ExperimentConfig): string[] {
  if (protocol.kind === 'own-randomizer') return [basename(protocol.module)];
  if (!('randomizer' in protocol))
    return PROTOCOL_CARDS.filter(({ kind }) => kind === protocol.kind).map(({ title }) => title);
  const named = asList<string>(protocol.randomizer);
  const titles = [...CATEGORY_RANDOMIZERS, ...NUMBER_RANDOMIZERS]
    .filter(({ name }) => named.includes(name))
    .map(({ title }) => title);
  if (protocol.kind === 'frequency') return titles;
  if (budgets !== undefined) return titles.map((title) => `${title}, own budgets`);
  return titles.flatMap((title) => [title, `${title}, calibrated`, `${title}, unbiased`]);
}
