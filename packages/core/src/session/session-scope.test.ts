import { describe, expect, it } from 'vitest';
import { createSessionScope, inScope, outermost } from './session-scope.ts';

describe('a session scope', () => {
  it('releases what is kept with it once, the latest first, and whatever comes too late at once', async () => {
    const scope = createSessionScope({ id: 'one' });
    const released: string[] = [];
    scope.onEnd(() => void released.push('first'));
    scope.onEnd(() => void released.push('second'));
    const stop = scope.onEnd(() => void released.push('stopped'));
    stop();
    expect(scope.hasEnded).toBe(false);
    const ending = scope.end();
    expect(scope.hasEnded).toBe(true);
    expect(released).toEqual(['second', 'first']);
    await Promise.all([ending, scope.end()]);
    scope.onEnd(() => void released.push('late'));
    expect(released).toEqual(['second', 'first', 'late']);
  });

  it('releases all though one fails, and says which did', async () => {
    const scope = createSessionScope({ id: 'one' });
    const released: string[] = [];
    const broken = new Error('broken');
    scope.onEnd(() => void released.push('first'));
    scope.onEnd(async () => {
      throw broken;
    });
    scope.onEnd(() => {
      throw broken;
    });
    await expect(scope.end()).rejects.toMatchObject({ errors: [broken, broken] });
    expect(released).toEqual(['first']);
  });

  it('works for a session while that is there, and at its cost', async () => {
    let session = createSessionScope({ id: 'session' });
    const run = createSessionScope({ id: 'session', outer: () => session });
    const job = createSessionScope({ id: 'session', outer: () => run });
    expect(outermost(job)).toBe(session);
    await session.end();
    expect(run.outer).toBeUndefined();
    expect(outermost(job)).toBe(run);
    session = createSessionScope({ id: 'session' });
    expect(outermost(job)).toBe(session);
  });

  it('ends with its work, also where that fails', async () => {
    let scope: { readonly hasEnded: boolean } | undefined;
    const work = inScope({ id: 'one' }, async (made) => {
      scope = made;
      expect(made.hasEnded).toBe(false);
      throw new Error('broken');
    });
    await expect(work).rejects.toThrow('broken');
    expect(scope?.hasEnded).toBe(true);
  });
});
