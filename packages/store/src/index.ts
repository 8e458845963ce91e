export { measureDatabase, sweepOnce } from './retention/lazily.ts';
export type { DatabaseSize, TableSize } from './retention/measure.ts';
export type { RetentionSettings } from './retention/sweep.ts';
export { createSessions, type RunningSessions } from './sessions/create-sessions.ts';
export { createStore, type OpenStore, type StoreLocation } from './store.ts';
export type { UnscopedRows } from './take-over.ts';
export { findUnscoped, takeOver } from './unscoped.ts';
