import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HEARTBEAT_MS, type ProgressReport, startProgress } from './progress.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

function start() {
  const sent: (ProgressReport & { atMs: number })[] = [];
  const meter = startProgress('slow', (report) => sent.push({ ...report, atMs: Date.now() }));
  return { sent, meter };
}

function isStrictlyIncreasing(reports: readonly ProgressReport[]): boolean {
  return reports.every((report, index) => report.progress > (reports[index - 1]?.progress ?? -1));
}

describe('progress', () => {
  it('beats at least every 10 s while the tool is silent, with a message', () => {
    const { sent } = start();
    vi.advanceTimersByTime(60_000);
    const gaps = sent.map(({ atMs }, index) => atMs - (sent[index - 1]?.atMs ?? 0));
    expect(sent.length).toBeGreaterThanOrEqual(6);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(10_000);
    expect(sent[0]?.message).toBe('slow is running (5 s)');
    expect(isStrictlyIncreasing(sent)).toBe(true);
  });

  it('passes the tool’s own reports on, and beats only after silence', () => {
    const { sent, meter } = start();
    vi.advanceTimersByTime(HEARTBEAT_MS - 1);
    meter.report('first file', 1, 3);
    vi.advanceTimersByTime(HEARTBEAT_MS - 1);
    expect(sent).toEqual([{ progress: 1, total: 3, message: 'first file', atMs: HEARTBEAT_MS - 1 }]);
    vi.advanceTimersByTime(1);
    expect(sent).toHaveLength(2);
    expect(sent[1]?.progress).toBeGreaterThan(1);
  });

  it('drops a total that progress has passed', () => {
    const { sent, meter } = start();
    meter.report('all', 3, 3);
    meter.report('more', 4, 3);
    expect(sent.map(({ progress, total }) => [progress, total])).toEqual([
      [3, 3],
      [4, undefined],
    ]);
    expect(sent[1]).not.toHaveProperty('total');
  });

  it('keeps the numbers of a report as they are: a first 0, fractions, no total, no message', () => {
    const { sent, meter } = start();
    meter.report(undefined, 0, 1);
    meter.report(undefined, 0.25);
    meter.report('most', 0.75, 1);
    expect(sent).toEqual([
      { progress: 0, total: 1, atMs: 0 },
      { progress: 0.25, atMs: 0 },
      { progress: 0.75, total: 1, message: 'most', atMs: 0 },
    ]);
  });

  it('says what it counts to in words between two counts, too, and by a heartbeat', () => {
    const { sent, meter } = start();
    meter.report('begins');
    meter.report('1 of 3', 1, 3);
    meter.report('reads a file');
    vi.advanceTimersByTime(HEARTBEAT_MS);
    expect(sent.map(({ progress, total }) => [Math.floor(progress), total])).toEqual([
      [0, undefined],
      [1, 3],
      [1, 3],
      [1, 3],
    ]);
  });

  it('increases even when the tool repeats itself, goes back, or says no number', () => {
    const { sent, meter } = start();
    meter.report('half', 50, 100);
    meter.report('half', 50, 100);
    meter.report('back', 10, 100);
    meter.report('no number');
    meter.report('on', 51, 100);
    expect(isStrictlyIncreasing(sent)).toBe(true);
    expect(sent.at(-1)).toMatchObject({ progress: 51, total: 100 });
  });

  it('sends finite, strictly increasing numbers whatever a tool reports', () => {
    const number = fc.option(fc.oneof(fc.double(), fc.integer()), { nil: undefined });
    fc.assert(
      fc.property(fc.array(fc.tuple(number, number, fc.nat(20_000))), (reports) => {
        const { sent, meter } = start();
        for (const [done, total, waitMs] of reports) {
          vi.advanceTimersByTime(waitMs);
          meter.report('step', done, total);
        }
        meter[Symbol.dispose]();
        expect(isStrictlyIncreasing(sent)).toBe(true);
        for (const { progress, total = progress } of sent) {
          expect(Number.isFinite(progress) && Number.isFinite(total) && total >= progress).toBe(true);
        }
      }),
    );
  });

  it('is silent after the end, also when the tool still reports', () => {
    const { sent, meter } = start();
    meter[Symbol.dispose]();
    meter.report('too late', 1, 2);
    vi.advanceTimersByTime(60_000);
    expect(sent).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
