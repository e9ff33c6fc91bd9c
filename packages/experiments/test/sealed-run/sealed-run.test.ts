// Sealed runs in one process: every protocol that a config can name gives the estimates of its unsealed run.
import {
  FREQUENCY_PROTOCOLS,
  KEY_VALUE_PROTOCOLS,
  NUMBER_PROTOCOLS,
  PLACE_PROTOCOLS,
  SET_PROTOCOLS,
  VECTOR_PROTOCOLS,
  type ProtocolField,
} from '@shuffle-dp/protocols';
import { hpkeSealer } from '@shuffle-dp/sealed';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import type { Cell } from '../../src/kinds/cell.ts';
import { planExperiment } from '../../src/cells/plan-experiment.ts';
import { Analyzer } from '../../src/sealed-run/analyzer.ts';
import { Clients } from '../../src/sealed-run/clients.ts';
import { startParty } from '../../src/sealed-run/party-process.ts';
import { Network } from '../../src/sealed-run/network.ts';
import type { Round } from '../../src/sealed-run/parties.ts';
import { messageCell, runSealed, type SealedOptions } from '../../src/sealed-run/sealed-run.ts';
import { Shuffler } from '../../src/sealed-run/shuffler.ts';

const COMMON = { name: 'sealed', seed: 'sealed', adjacency: 'replace-one', trials: 1 };
const central = { epsilon: 4, delta: 0.01 };

const CONFIGS = {
  categories: {
    cards: FREQUENCY_PROTOCOLS.filter(({ kind }) => !['balcer-cheu', 'range-queries'].includes(kind)),
    config: { data: { kind: 'categories-zipf', domain: 8 }, users: 40, privacy: central },
  },
  bits: {
    cards: FREQUENCY_PROTOCOLS.filter(({ kind }) => kind === 'balcer-cheu'),
    config: { data: { kind: 'categories-zipf', domain: 2 }, users: 40, privacy: central },
  },
  ranges: {
    cards: FREQUENCY_PROTOCOLS.filter(({ kind }) => kind === 'range-queries'),
    config: { data: { kind: 'categories-zipf', domain: 8 }, users: 200, privacy: central },
  },
  sets: {
    cards: SET_PROTOCOLS,
    config: {
      data: { kind: 'msnbc-like', items: 4, padding: 'fill' },
      users: 60,
      privacy: { levels: [4, 6], shares: [0.5, 0.5], delta: 0.05 },
    },
  },
  numbers: {
    cards: NUMBER_PROTOCOLS,
    config: { data: { kind: 'numbers-gaussian-bump' }, users: 40, privacy: central },
  },
  'key-values': {
    cards: KEY_VALUE_PROTOCOLS,
    config: { data: { kind: 'key-values-zipf', domain: 8, items: 2 }, users: 40, privacy: central },
  },
  places: {
    cards: PLACE_PROTOCOLS,
    config: { data: { kind: 'places-clusters', grid: 2 }, users: 40, privacy: central },
  },
  vectors: {
    cards: VECTOR_PROTOCOLS,
    config: { data: { kind: 'vectors-sphere', dimensions: 3 }, users: 40, privacy: central },
  },
} as const;

/** Which bound sets a budget is no concern of these runs; the blanket is found soonest. */
const isBound = (field: ProtocolField): boolean =>
  field.name === 'accounting' && field.type === 'choice' && field.choices.includes('blanket');

/** To find the least noise takes seconds. */
const FIXED: Readonly<Record<string, object>> = {
  gaussian: { sigma: 1 },
  laplace: { epsilon0: 2 },
  'clip-laplace': { epsilon0: 2 },
  'clip-laplace-vector': { epsilon0: 2 },
};

/** The protocol as it is, or with every choice that it must be given. */
function specsOf({ kind, fields }: { readonly kind: string; readonly fields: readonly ProtocolField[] }) {
  const required = fields.find((field) => field.type === 'choice' && field.required);
  const bound = fields.some(isBound) ? { accounting: 'blanket' } : {};
  const spec = { kind, ...bound, ...FIXED[kind] };
  if (required?.type !== 'choice') return [spec];
  return required.choices.map((choice) => ({
    ...spec,
    [required.name]: choice,
    ...FIXED[choice],
  }));
}

function cellOf(config: object, protocol: object): Cell {
  const isFixed = 'sigma' in protocol || 'epsilon0' in protocol;
  const fixed = isFixed ? { privacy: { delta: central.delta } } : {};
  const text = JSON.stringify({
    ...COMMON,
    ...config,
    ...fixed,
    simulation: 'messages',
    protocols: [protocol],
  });
  return planExperiment(parseConfig(text, 'sealed.yaml'), 'sealed.yaml').cells[0]!;
}

const parties = () => ({ clients: new Clients(), shuffler: new Shuffler(), analyzer: new Analyzer() });
const run = (cell: Cell, options: SealedOptions = {}) => runSealed(messageCell(cell), parties(), options);

describe('the estimates of the unsealed run', () => {
  for (const [holds, { cards, config }] of Object.entries(CONFIGS)) {
    for (const card of cards) {
      it.each(specsOf(card).map((spec) => [Object.values(spec).join(' '), spec]))(
        `${holds}: %s`,
        async (_, spec) => {
          const cell = cellOf(config, spec);
          if (card.trust === 'augmented') {
            await expect(run(cell)).rejects.toThrow('one whose shuffler only permutes');
            return;
          }
          const { estimates, unsealed, rounds } = await run(cell);
          expect(estimates).toEqual(unsealed);
          expect(estimates.every(Number.isFinite)).toBe(true);
          for (const { sent, atAnalyzer } of rounds) expect(atAnalyzer).toEqual({ opened: sent });
        },
      );
    }
  }
});

describe('a network that attacks', () => {
  it.each(['segmented', 'sep-mm'])(
    'changes no count of %s: what it adds is refused, and counted',
    async (kind) => {
      const cell = cellOf(CONFIGS.sets.config, { kind });
      const { estimates, unsealed, rounds } = await run(cell, { attacks: 5 });
      expect(estimates).toEqual(unsealed);
      expect(rounds).toHaveLength(2);
      rounds.forEach(({ sent, added, atShuffler, atAnalyzer }, i) => {
        const replays = i === 0 ? {} : { replay: 5 };
        expect(added).toEqual({ damaged: 5, truncated: 5, foreign: 5, duplicate: 5, ...replays });
        // What only the key can tell passes the shuffler.
        expect(atShuffler).toEqual({ accepted: sent + 10, duplicate: 5, 'wrong length': 5, ...replays });
        expect(atAnalyzer).toEqual({ opened: sent, 'does not open': 10 });
      });
    },
  );
});

describe('the minimum batch', () => {
  const cell = cellOf(CONFIGS.categories.config, { kind: 'frequency', randomizer: 'grr' });

  it('is half of what the protocol sends unless it is named', async () => {
    expect((await run(cell)).rounds[0]!.minimum).toBe(20);
    expect((await run(cell, { minimumBatch: 40 })).rounds[0]!.minimum).toBe(40);
  });

  it('holds the messages back below it', async () => {
    await expect(run(cell, { minimumBatch: 41 })).rejects.toThrow(
      'a batch of 40 messages is not handed on: the minimum is 41',
    );
  });
});

it('tells the shuffler nothing but lengths and numbers: two data sets make views of one shape', async () => {
  const shapes = await Promise.all(
    ['one', 'two'].map(async (seed) => {
      const cell = cellOf({ ...CONFIGS.categories.config, seed }, { kind: 'frequency', randomizer: 'grr' });
      const seen: number[] = [];
      const shuffler = new Shuffler();
      const watched = {
        ...parties(),
        shuffler: {
          view: (folder: string) => shuffler.view(folder),
          shuffle: (...given: Parameters<Shuffler['shuffle']>) => {
            seen.push(...given[0].map(({ sealed }) => sealed.length));
            return shuffler.shuffle(...given);
          },
        },
      };
      await runSealed(messageCell(cell), watched);
      return seen;
    }),
  );
  expect(shapes[0]).toEqual(shapes[1]);
  expect(new Set(shapes[0])).toEqual(new Set([49]));
});

it.each([
  [
    { ...CONFIGS.categories.config, threats: { dropout: 0.3 } },
    { kind: 'frequency', randomizer: 'grr' },
    'threats = "dropout": must be left out',
  ],
  [
    {
      data: { kind: 'identifiers-zipf', bits: 8, different: 20 },
      users: 2000,
      top: 5,
      privacy: central,
    },
    { kind: 'prefix-tree' },
    'protocol = "prefix-tree": must be one whose estimates have known places',
  ],
])('refuses what it cannot carry out, in words', async (config, spec, message) => {
  await expect(runSealed(messageCell(cellOf(config, spec)), parties())).rejects.toThrow(message);
});

it('refuses the module of a user, which no party would watch', async () => {
  const spec = { kind: 'own-randomizer' };
  await expect(runSealed({ spec } as Parameters<typeof runSealed>[0], parties())).rejects.toThrow(
    'protocol = "own-randomizer": must be one of this program',
  );
});

it('says so where the process of a party ends', async () => {
  const { party, end } = startParty('shuffler');
  const asked = party.shuffle([], { bytes: 1, minimum: 0 }, new Int32Array(4));
  end();
  await expect(asked).rejects.toThrow('the process of the shuffler ended');
});

describe('users who seal what no honest user sends', () => {
  for (const [holds, { cards, config }] of Object.entries(CONFIGS)) {
    it(`of ${holds} move estimates, and stop nothing`, async () => {
      for (const card of cards.filter(({ trust }) => trust !== 'augmented')) {
        const cell = messageCell(cellOf(config, specsOf(card)[0]!));
        const { clients, analyzer } = parties();
        // Each round answers the one before.
        // oxlint-disable-next-line no-await-in-loop
        let step = await analyzer.begin(cell);
        // oxlint-disable-next-line no-await-in-loop
        await clients.begin(cell);
        while (!('estimates' in step)) {
          const { publicKey, purpose, layout } = step.round;
          const seal = hpkeSealer(publicKey, Buffer.from(purpose));
          const nonsense = [0, 128, 255].map((byte) => seal(new Uint8Array(layout.bytes).fill(byte)));
          const { sealed } = clients.send(step.round, step.known);
          const opened = analyzer.open([...sealed, ...nonsense]);
          expect(opened.verdicts).toEqual({ opened: sealed.length + 3 });
          step = opened.step;
        }
        expect(step.estimates.length).toBeGreaterThan(0);
      }
    });
  }
});

it('a network takes more messages than a call has arguments', () => {
  const sealed = Array.from({ length: 200_000 }, () => new Uint8Array(1));
  const round = { purpose: 'data' } as Round;
  expect(new Network(0).deliver(sealed, round).arrivals).toHaveLength(200_000);
});
