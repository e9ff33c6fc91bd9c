export { type Excluded, type PlannedProtocol } from './assess.ts';
export { type Candidate, candidates } from './candidates.ts';
export { type Plan, type PlanStage, front, plan, planStages } from './plan.ts';
export { LEAST_PLANNED_EPSILON, planForError } from './plan-for-error.ts';
export {
  domainMeaning,
  PLAN_TASKS,
  type PlanLimits,
  type PlanSetting,
  type PlanTask,
} from './plan-setting.ts';
export { mayStayAway, planConfig } from './plan-config.ts';
export { planChart } from './plan-chart.ts';
export { PLAN_TRIALS } from './simulated-error.ts';
