/** The runs of the results folder: each as a table that can be sorted, with its files. */
import type { JSX } from 'preact';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { addressText } from '../address/address.ts';
import { address } from '../address/current-address.ts';
import { counted } from '@shuffle-dp/experiments/words';
import { ShownInstead } from '../controls/shown-instead.tsx';
import { ResultsTable } from './results-table.tsx';
import {
  fileAddress,
  runPictures,
  runSummary,
  runTitle,
  servedRuns,
  type RunSummary,
  type ServedFolder,
  type ServedRun,
} from './served-runs.ts';

/** Undefined until it is known whether there are any. */
const served = signal<ServedFolder | null | undefined>(undefined);
const summary = signal<{ readonly run: string; readonly summary: RunSummary | 'unreadable' | null } | null>(
  null,
);

/** @param isChosen whether the run is the chosen one still: what comes late would take another's place */
async function open(run: ServedRun, isChosen: () => boolean): Promise<void> {
  const read = await runSummary(run);
  if (isChosen()) summary.value = { run: run.name, summary: read };
}

export function RunsPage(): JSX.Element {
  const folder = served.value;
  const chosen = address.value.fields['run'];
  const named = folder?.runs.find(({ name }) => name === chosen);
  const run = named ?? folder?.runs[0];
  // Of very many runs the newest are listed, and the one that is asked for.
  const unlisted = folder != null && folder.left > 0 && named === undefined ? chosen : undefined;
  useEffect(() => {
    void servedRuns(chosen).then((found) => (served.value = found));
  }, [unlisted]);
  useEffect(() => {
    if (run === undefined) return undefined;
    let isChosen = true;
    void open(run, () => isChosen);
    return () => (isChosen = false);
  }, [run]);
  if (folder === undefined) return <p class="waiting">Looking…</p>;
  if (folder === null)
    return (
      <section class="empty">
        <p>
          Runs are on your disk, and this page was not served by the program. Start it in the folder that has{' '}
          <code>results/</code>:
        </p>
        <pre tabIndex={0}>shuffle-dp explore</pre>
      </section>
    );
  if (run === undefined)
    return (
      <section class="empty">
        <p>
          There are no runs in <code>{folder.folder}</code> yet. This one takes seconds:
        </p>
        <pre tabIndex={0}>shuffle-dp run configs/quick.yaml</pre>
      </section>
    );
  return (
    <div class="two-sides">
      <nav aria-label="Runs" class="runs">
        <ul>
          {folder.runs.map((listed) => (
            <li key={listed.name}>
              <a
                href={addressText({ page: 'runs', fields: { run: listed.name } })}
                aria-current={listed === run ? 'true' : undefined}
              >
                {runTitle(folder, listed)}
                <time dateTime={listed.changed}>{localMinute(listed.changed)}</time>
              </a>
            </li>
          ))}
        </ul>
        <p class="fine">
          in {folder.folder}
          {folder.left > 0 && `; ${counted(folder.left, 'older run')} not listed`}
        </p>
      </nav>
      <div class="answers">
        <ShownInstead
          kind="run"
          asked={chosen === undefined || chosen === run.name ? null : chosen}
          shown={runTitle(folder, run)}
        />
        <Run key={run.name} run={run} title={runTitle(folder, run)} />
      </div>
    </div>
  );
}

/** As the clock on the wall had it, like '2026-11-30 14:51': Sweden writes times so. */
function localMinute(instant: string): string {
  return new Date(instant).toLocaleString('sv').slice(0, 16);
}

/** The first ones of a run that people open. */
const TITLES: Readonly<Record<string, string>> = {
  'report.html': 'Report',
  'index.html': 'Gallery',
  'results.csv': 'results.csv',
  'privacy.csv': 'privacy.csv',
  'estimates.csv': 'estimates.csv',
  'summary.json': 'summary.json',
  'config.resolved.json': 'config.resolved.json',
};

function Run({ run, title }: { readonly run: ServedRun; readonly title: string }): JSX.Element {
  const known = summary.value?.run === run.name ? summary.value.summary : null;
  const read = known === 'unreadable' ? null : known;
  const files = Object.keys(TITLES).filter((file) => run.files.includes(file));
  const pictures = runPictures(run.files);
  return (
    <>
      <section>
        <h2>{read?.name ?? title}</h2>
        {read?.question != null && <p class="question">{read.question}</p>}
        <p class="buttons">
          {files.map((file) => (
            <a key={file} class="button" href={fileAddress(run.name, file)}>
              {TITLES[file]}
            </a>
          ))}
        </p>
      </section>
      {known === 'unreadable' && <p class="refusal">summary.json cannot be read</p>}
      {read !== null && (
        <section>
          <h2>Cells of {counted(read.trials, 'trial')}</h2>
          {read.cells.length === 0 ? (
            <p class="fine">This run has no cells.</p>
          ) : (
            <ResultsTable cells={read.cells} />
          )}
        </section>
      )}
      {pictures.length > 0 && (
        <section>
          <h2>Figures</h2>
          <div class="pictures">
            {pictures.map(({ file, name, others }) => (
              <figure key={file}>
                <a href={fileAddress(run.name, file)} class="picture">
                  <img src={fileAddress(run.name, file)} alt={`chart: ${name}`} loading="lazy" />
                </a>
                <figcaption>
                  {name}
                  {others.map((other) => (
                    <a key={other.file} href={fileAddress(run.name, other.file)}>
                      {other.form}
                    </a>
                  ))}
                </figcaption>
              </figure>
            ))}
          </div>
        </section>
      )}
    </>
  );
}
