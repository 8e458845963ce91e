export { createWorkers, type RunningWorkers } from './create-workers.ts';
