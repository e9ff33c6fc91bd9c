/** What a thread performs that draws charts beside this one. */
export { drawChart } from '../charts/render.ts';

/** Of this module, for the thread. */
export const CHART_THREAD = import.meta.url;
