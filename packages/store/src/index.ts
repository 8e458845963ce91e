export { createStore, type OpenStore, type StoreLocation } from './store.ts';
export { findUnscoped, takeOver, type UnscopedRows } from './take-over.ts';
