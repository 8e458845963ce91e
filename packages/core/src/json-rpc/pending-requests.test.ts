import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PendingRequests } from './pending-requests.ts';

it('keeps what waits under a number of its own until it is taken, like a map', () => {
  // Null asks; a number takes one of those that wait.
  const steps = fc.array(fc.option(fc.nat(300)), { maxLength: 600 });
  fc.assert(
    fc.property(steps, (given) => {
      const pending = new PendingRequests<object>();
      const known = new Map<number, object>();
      const used = new Set<number>();
      for (const step of given) {
        const id = step === null ? undefined : [...known.keys()][step];
        if (id !== undefined) {
          expect(pending.take(id)).toBe(known.get(id));
          known.delete(id);
          expect(pending.take(id)).toBeUndefined();
          continue;
        }
        const waiting = {};
        const added = pending.add(waiting);
        expect(used.has(added)).toBe(false);
        used.add(added);
        known.set(added, waiting);
      }
      expect(pending.ids()).toEqual([...known.keys()]);
      for (const [id, waiting] of known) expect(pending.get(id)).toBe(waiting);
    }),
  );
});

// 65 and 641 would stand where 1 does: an answer that comes late settles no other request.
it.each(['1', 1.5, -1, 2, 65, 641, Number.NaN, Number.MAX_VALUE])('knows nothing of the id %j', (id) => {
  const pending = new PendingRequests<object>();
  pending.add({});
  expect(pending.get(id)).toBeUndefined();
  expect(pending.take(id)).toBeUndefined();
});

it('asks on beside requests that wait for ever', () => {
  const pending = new PendingRequests<string>();
  const first = pending.add('first');
  for (let each = 0; each < 1000; each += 1) pending.take(pending.add('short'));
  expect(pending.get(first)).toBe('first');
});
