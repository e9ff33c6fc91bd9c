/** The entry of a worker thread. */
export { perform as default } from './tasks.ts';
