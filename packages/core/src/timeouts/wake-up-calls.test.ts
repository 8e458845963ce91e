import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWakeUpCalls, type WakeUpCalls } from './wake-up-calls.ts';

const activeTimers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;

function until(wakeUps: WakeUpCalls, ms: number) {
  const timed = { endsAtMs: performance.now() + ms, timeIsOver: vi.fn() };
  return { ...timed, place: wakeUps.add(timed) };
}

describe('wake-up calls', () => {
  let wakeUps: WakeUpCalls;
  beforeEach(() => {
    vi.useFakeTimers();
    wakeUps = createWakeUpCalls();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('come to each at its time, whichever came first', () => {
    const ends = [until(wakeUps, 300), until(wakeUps, 100), until(wakeUps, 200)];
    const told = () => ends.map(({ timeIsOver }) => timeIsOver.mock.calls.length);
    vi.advanceTimersByTime(99);
    expect(told()).toEqual([0, 0, 0]);
    vi.advanceTimersByTime(1);
    expect(told()).toEqual([0, 1, 0]);
    vi.advanceTimersByTime(100);
    expect(told()).toEqual([0, 1, 1]);
    vi.advanceTimersByTime(1_000);
    expect(told()).toEqual([1, 1, 1]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('come to all whose time is over at once', () => {
    const ends = [until(wakeUps, 100), until(wakeUps, 100)];
    vi.advanceTimersByTime(100);
    for (const { timeIsOver } of ends) expect(timeIsOver).toHaveBeenCalledOnce();
  });

  it('do not come to who was taken out, and do to who came after', () => {
    const gone = until(wakeUps, 100);
    wakeUps.remove(gone.place);
    vi.advanceTimersByTime(50);
    const later = until(wakeUps, 100);
    vi.advanceTimersByTime(99);
    expect(later.timeIsOver).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(later.timeIsOver).toHaveBeenCalledOnce();
    expect(gone.timeIsOver).not.toHaveBeenCalled();
  });

  it('take one timer, however many wait', () => {
    for (let each = 0; each < 10; each += 1) until(wakeUps, 100 + each);
    expect(vi.getTimerCount()).toBe(1);
  });
});

it('keep the process alive for those who wait, and for nobody else', () => {
  const wakeUps = createWakeUpCalls();
  const before = activeTimers();
  const first = until(wakeUps, 60_000);
  expect(activeTimers()).toBe(before + 1);
  wakeUps.remove(first.place);
  expect(activeTimers()).toBe(before);
  const second = until(wakeUps, 60_000);
  expect(activeTimers()).toBe(before + 1);
  wakeUps.remove(second.place);
  expect(activeTimers()).toBe(before);
});
