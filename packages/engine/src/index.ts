export { createEngine, type Engine, type EngineOptions } from './engine.ts';
export { rootsOf } from './record/roots-of.ts';
export type { Carried, CarryOptions } from './service/carry-on.ts';
export type { FailedRun, FailedRunsQuery, RunAgain } from './service/failed-runs.ts';
