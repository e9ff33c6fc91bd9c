export { auditChart, auditCsv } from './audit-chart.ts';
export type { AuditPath } from './audited-mechanism.ts';
export type { AuditResult } from './audit.ts';
export { POWER } from './measured-epsilon.ts';
export {
  auditConfig,
  auditMechanism,
  type AuditedRow,
  type AuditOptions,
  type AuditReport,
} from './run-audit.ts';
export { type AuditSubject, keptAudit } from './kept-audit.ts';
