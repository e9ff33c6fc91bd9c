export { auditChart, auditCsv } from './audit-chart.ts';
export { AUDITED_MECHANISMS, MOST_MESSAGE_USERS, type AuditPath } from './audited-mechanism.ts';
export { LEAST_TRIALS, type AuditResult } from './audit.ts';
export { POWER } from './measured-epsilon.ts';
export {
  auditConfig,
  auditMechanism,
  type AuditedRow,
  type AuditOptions,
  type AuditReport,
} from './run-audit.ts';
export { SCORES } from './views.ts';
export { type AuditSubject, keptAudit } from './kept-audit.ts';
