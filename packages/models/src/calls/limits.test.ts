import { describe, expect, it } from 'vitest';
import type { ModelSource } from '../source.ts';
import { createLimits } from './limits.ts';

const source: ModelSource = {
  name: 'host',
  kind: 'host',
  find: () => ({ isFound: true, reason: '' }),
  models: [],
  concurrency: 2,
  requestsPerMinute: undefined,
  ask: () => Promise.reject(new Error('nobody asks it here')),
};

/** Two calls of one session that get no answer, and one of another: whether that one is begun. */
async function isHeldUp(of: ModelSource): Promise<boolean> {
  const limits = createLimits();
  const gone = new AbortController();
  let isBegun = false;
  const silent = [1, 2].map(() =>
    limits.run(
      of,
      { session: { id: 'silent' }, signal: gone.signal },
      () =>
        new Promise((_, reject) => gone.signal.addEventListener('abort', () => reject(gone.signal.reason))),
    ),
  );
  const other = limits.run(of, { session: { id: 'other' }, signal: gone.signal }, async () => {
    isBegun = true;
  });
  // Each is begun, or waits, within the turn in which it comes.
  await new Promise((resolve) => setImmediate(resolve));
  gone.abort(new Error('enough'));
  await Promise.allSettled([...silent, other]);
  return !isBegun;
}

describe('two calls that a session’s model does not answer', () => {
  it('hold up no other session’s model', async () => {
    expect(await isHeldUp({ ...source, ofSession: true })).toBe(false);
  });

  it('are all that is asked of a source that is everybody’s', async () => {
    expect(await isHeldUp(source)).toBe(true);
  });
});
