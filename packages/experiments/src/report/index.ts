export { GENERATED, markdownTable } from './markdown-table.ts';
export { type Badge, type ReportFigure, type ReportPage, renderReportPage } from './report-page.ts';
export { panelsAlong } from './run-charts.ts';
export { type RunViews, writeResults } from './write-run.ts';
