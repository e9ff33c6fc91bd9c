/** How far a run is, for whoever watches it. */
export interface RunProgress {
  readonly phase: 'accounting' | 'trials' | 'trainings';
  readonly done: number;
  readonly total: number;
  readonly cellsDone: number;
  readonly cells: number;
}
