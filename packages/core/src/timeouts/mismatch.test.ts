import { describe, expect, it, vi } from 'vitest';
import { exceedsClientDefault, mismatchEvent, startMismatch, warnOfMismatch } from './mismatch.ts';

const mismatch = {
  eventId: '123e4567-e89b-42d3-a456-426614174000',
  toolName: 'consensus_vote',
  budgetMs: 600_000,
};
const times = { startedAtMs: Date.UTC(2025, 10, 25), endedAtMs: Date.UTC(2025, 10, 25) + 61_500 };

describe('a mismatch', () => {
  it.each([
    [60_000, false, false],
    [60_001, false, true],
    [600_000, true, false],
  ])(
    'with a budget of %d ms and a progress token: %s, is one: %s',
    (budgetMs, hasProgressToken, expected) => {
      expect(exceedsClientDefault({ budgetMs, hasProgressToken })).toBe(expected);
    },
  );

  it('is warned of once with what an operator greps for', () => {
    const warn = vi.fn();
    const quiet = () => {};
    const log = { debug: quiet, info: quiet, warn, error: quiet };
    const started = startMismatch({ toolName: 'consensus_vote', budgetMs: 600_000 });
    warnOfMismatch(started, log);
    const { eventId } = started;
    expect(eventId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(warn.mock.calls).toEqual([
      [
        expect.stringContaining('budget exceeds client default and no progressToken received'),
        { tool: 'consensus_vote', configuredTimeoutMs: 600_000, mcpSdkDefaultMs: 60_000, eventId },
      ],
    ]);
  });
});

describe('its row', () => {
  it('has exactly the fields of the event log for a success', () => {
    expect(mismatchEvent(mismatch, times)).toEqual({
      eventId: mismatch.eventId,
      toolName: 'consensus_vote',
      configuredTimeoutMs: 600_000,
      mcpSdkDefaultMs: 60_000,
      startedAt: '2025-11-25T00:00:00.000Z',
      endedAt: '2025-11-25T00:01:01.500Z',
      durationMs: 61_500,
      outcome: 'success',
    });
  });

  it('adds category and message for an error: the first line, at most 500 characters', () => {
    const failed = (message: string) =>
      mismatchEvent(mismatch, { ...times, error: { code: 'NEXUS_TIMEOUT', category: 'timeout', message } });
    expect(failed('one\r\ntwo\nthree')).toMatchObject({
      outcome: 'error',
      errorCategory: 'timeout',
      errorMessage: 'one',
    });
    expect(failed('x'.repeat(900)).errorMessage).toBe(`${'x'.repeat(460)}… (440 more characters)`);
    expect(Object.keys(failed('x'))).toHaveLength(10);
  });
});
