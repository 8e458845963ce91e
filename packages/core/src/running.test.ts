import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Running } from './running.ts';

it('has what came and has not gone, in its order, like a set', () => {
  // A number adds; what it says of those that are in goes out, twice.
  const steps = fc.array(fc.option(fc.nat(20)), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (given) => {
      const running = new Running<object>();
      const places: ReturnType<typeof running.add>[] = [];
      for (const step of given) {
        const place = step === null ? undefined : places[step];
        if (!place) {
          places.push(running.add({}));
          continue;
        }
        places.splice(step ?? 0, 1);
        running.remove(place);
        running.remove(place);
      }
      const expected = places.map(({ value }) => value);
      expect(running.all()).toEqual(expected);
      expect(running.all().every((value, at) => value === expected[at])).toBe(true);
      expect(running.size).toBe(expected.length);
      expect(running.latest).toBe(expected.at(-1));
    }),
  );
});
