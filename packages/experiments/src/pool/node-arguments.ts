/** How Node is started for a module of this project, in a thread or a process of its own. */

/** @param module URL: what is source, as in a checkout, is run without a build */
export function argumentsFor(module: string): readonly string[] {
  if (!module.endsWith('.ts')) return [];
  const stripsTypes = 'typescript' in process.features && Boolean(process.features.typescript);
  return [
    '--conditions=@shuffle-dp/source',
    ...(stripsTypes ? [] : ['--import', import.meta.resolve('tsx')]),
  ];
}
