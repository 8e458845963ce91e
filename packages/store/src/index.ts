export { createStore, type OpenStore, type StoreLocation } from './store.ts';
export type { UnscopedRows } from './take-over.ts';
export { findUnscoped, takeOver } from './unscoped.ts';
