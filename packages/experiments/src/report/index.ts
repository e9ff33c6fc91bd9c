export { GENERATED, markdownTable } from './markdown-table.ts';
export { chartFiles, writeChartFiles } from '../page/chart-files.ts';
export { type Badge, type ReportFigure, type ReportPage, renderReportPage } from '../page/report-page.ts';
export { panelsAlong } from './run-charts.ts';
export { type RunViews, writeResults } from './write-run.ts';
