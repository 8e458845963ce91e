import { describe, expect, it } from 'vitest';
import { scopeOf } from '../../test/scope-of.ts';
import { createPatience, type Waits } from './patience.ts';

function setUp(known: Record<string, Waits> = {}) {
  const waits = new Map(Object.entries(known));
  const patience = createPatience({
    waits: (client) => waits.get(client),
    learnWaits: (client, learnt) => void waits.set(client, learnt),
  });
  const session = scopeOf('one');
  const caller = (name: string) => ({ session, client: { name } });
  const gaveUp = (afterMs: number, reason?: string, hasProgress = false) =>
    patience.gaveUp(caller('some-host'), { afterMs, reason: new Error(reason ?? 'cancelled'), hasProgress });
  return { patience, session, caller, gaveUp, waits };
}

describe('how long a client waits', () => {
  it('is not known of one that was never seen to give up', () => {
    const { patience, caller } = setUp();
    expect(patience.waitsMs(caller('some-host'), false)).toBeUndefined();
  });

  it('is learnt for the user alone whose client it was', () => {
    const { patience, session } = setUp();
    const of = (user?: string) => ({
      session: user === 'ann' ? session : scopeOf('two'),
      client: { name: 'h' },
      user,
    });
    const call = { afterMs: 12_000, reason: new Error('timeout'), hasProgress: false };
    patience.gaveUp(of('ann'), call);
    expect(patience.waitsMs(of('ann'), false)).toBe(12_000);
    expect(patience.waitsMs(of('ben'), false)).toBeUndefined();
    expect(patience.waitsMs(of(), false)).toBeUndefined();
  });

  it('is known of Cline, which never says that it gave up, where it hears no progress', () => {
    const { patience, caller } = setUp();
    expect(patience.waitsMs(caller('Cline'), false)).toBe(60_000);
    expect(patience.waitsMs(caller('Cline'), true)).toBeUndefined();
    expect(patience.waitsMs(caller('declined'), false)).toBeUndefined();
  });

  it('is what the settings of its host say, before what was learnt', () => {
    const { patience, caller, session } = setUp({ Cline: { quietMs: 30_000 } });
    expect(patience.waitsMs(caller('Cline'), false)).toBe(30_000);
    patience.said(session, 960_000);
    expect(patience.waitsMs(caller('Cline'), false)).toBe(960_000);
  });

  it.each([1, 500, 1_999])('is two seconds at least, whatever is said: %s ms', (ms) => {
    const { patience, caller, session } = setUp();
    patience.said(session, ms);
    expect(patience.waitsMs(caller('some-host'), false)).toBe(2_000);
  });

  it.each(['Request timed out', 'MCP error -32001: Request timed out', 'request timeout', 'timed-out'])(
    'is learnt from one call that it cancelled for "%s"',
    (reason) => {
      const { gaveUp, waits } = setUp();
      gaveUp(45_003.4, reason);
      expect(waits.get('some-host')).toEqual({ quietMs: 45_003 });
    },
  );

  it('is learnt from two calls that it cancelled without a reason after the same time, and not from others', () => {
    const { gaveUp, waits } = setUp();
    gaveUp(60_010);
    gaveUp(20_000);
    gaveUp(59_000);
    expect(waits.size).toBe(0);
    gaveUp(60_000);
    expect(waits.get('some-host')).toEqual({ quietMs: 60_000 });
  });

  it('is not learnt from a call that hardly lasted', () => {
    const { gaveUp, waits } = setUp();
    gaveUp(9_000, 'Request timed out');
    expect(waits.size).toBe(0);
  });

  it('is learnt apart of calls that it heard progress of, and holds for all where it is shorter', () => {
    const { patience, caller, gaveUp, waits } = setUp();
    gaveUp(60_000, 'Request timed out');
    gaveUp(120_000, 'Request timed out', true);
    expect(waits.get('some-host')).toEqual({ quietMs: 60_000, totalMs: 120_000 });
    expect(patience.waitsMs(caller('some-host'), false)).toBe(60_000);
    expect(patience.waitsMs(caller('some-host'), true)).toBe(120_000);
    gaveUp(30_000, 'Request timed out', true);
    expect(patience.waitsMs(caller('some-host'), false)).toBe(30_000);
  });
});
