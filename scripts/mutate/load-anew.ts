import { inject, vi } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    mutantActivation?: 'static' | 'runtime';
  }
}

/** Runs follow each other in one worker, whose modules stay as they were loaded. */
const worker: { wasStatic?: boolean } = globalThis as never;

// A mutant that is at work while its module is loaded has to be there by then, and is to be gone for the next.
const isStatic = inject('mutantActivation') === 'static';
if (isStatic || worker.wasStatic) vi.resetModules();
worker.wasStatic = isStatic;
