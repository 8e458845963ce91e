import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wireNames } from './wire-names.ts';

it('leaves a name that every provider takes', () => {
  expect(wireNames().toWire('search_codebase')).toBe('search_codebase');
});

it('gives every other name one that they take, and finds it again', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ maxLength: 200 }), { maxLength: 20 }), (names) => {
      const wire = wireNames();
      const sent = names.map(wire.toWire);
      for (const name of sent) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(sent.map(wire.fromWire)).toEqual(names);
    }),
  );
});
