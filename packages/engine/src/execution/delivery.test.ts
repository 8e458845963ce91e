import { describe, expect, it, vi } from 'vitest';
import { machine } from '../ground.ts';
import type { StepRow } from '../record/tables.ts';
import { Delivery, type Departure } from './delivery.ts';

const GRACE_MS = 30;
const step = (name: string, end_seq: number) => ({ name, end_seq }) as StepRow; // all that is asked of it
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a run that goes on from what is on record', () => {
  it('is not taken for another while it reads what it was handed, however long the store is away', async () => {
    const onDeparture = vi.fn<(departure: Departure) => void>();
    const history = [step('first', 1), step('second', 2)];
    const delivery = new Delivery(history, { ground: machine, graceMs: GRACE_MS, onDeparture });
    const beside = delivery.outcome('beside', () => {});
    await delivery.outcome('first', undefined);
    await delivery.reading(() => wait(5 * GRACE_MS));
    expect(onDeparture).not.toHaveBeenCalled();
    // It has read it, and asks for something else.
    await vi.waitFor(() => expect(onDeparture).toHaveBeenCalledWith({ missing: 'second', asked: 'beside' }));
    delivery.stop();
    await Promise.race([beside, wait(0)]);
  });

  it.each([1.3, 1.9, 4])(
    'is not taken for another where its process stood still: %s times as long',
    async (times) => {
      const graceMs = 200;
      const onDeparture = vi.fn<(departure: Departure) => void>();
      const history = [step('first', 1), step('second', 2)];
      const delivery = new Delivery(history, { ground: machine, graceMs, onDeparture });
      void delivery.outcome('beside', () => {});
      await Promise.all([delivery.outcome('first', undefined), wait(0)]);
      // Stopped, and asking for the next as it goes on.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, times * graceMs);
      await wait(0);
      await delivery.outcome('second', undefined);
      expect(onDeparture).not.toHaveBeenCalled();
      delivery.stop();
    },
  );
});
