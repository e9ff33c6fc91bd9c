export {
  type CaptionedChart,
  type Chart,
  type ChartAxis,
  type ChartPanel,
  type ChartPoint,
  type ChartSeries,
  type SeriesStyle,
} from './chart.ts';
export { renderAs } from './render.ts';
