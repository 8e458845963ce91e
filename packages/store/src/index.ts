export { createStore, type OpenStore, type StoreLocation } from './store.ts';
