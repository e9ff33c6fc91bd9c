/** How Node is started for a module of this project, in a thread or a process of its own. */

/** Set to `dist` by whoever knows that the build of this checkout is that of its source. */
const VARIABLE = 'SHUFFLE_DP_THREADS';

export interface ModuleStart {
  /** URL of what is loaded. */
  readonly module: string;
  /** Of Node; absent where those of this process serve. */
  readonly execArgv?: readonly string[];
}

/** @param module URL: what is source, as in a checkout, is run without a build, in three times the time of one */
export function startOf(module: string): ModuleStart {
  if (!module.endsWith('.ts')) return { module };
  if (process.env[VARIABLE] === 'dist')
    return {
      module: module.replace(/\/src\/((?:[^/]+\/)*[^/]+)\.ts$/u, '/dist/$1.js'),
      execArgv: [],
    };
  const stripsTypes = 'typescript' in process.features && Boolean(process.features.typescript);
  const loader = stripsTypes ? [] : ['--import', import.meta.resolve('tsx')];
  return { module, execArgv: ['--conditions=@shuffle-dp/source', ...loader] };
}
