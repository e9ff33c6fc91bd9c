export { type Excluded, type PlannedProtocol } from './assess.ts';
export { type Plan, front, plan } from './plan.ts';
export { planForError } from './plan-for-error.ts';
export { PLAN_TASKS, type PlanLimits, type PlanSetting, type PlanTask } from './plan-setting.ts';
export { planConfig } from './plan-config.ts';
export { planChart } from './plan-chart.ts';
