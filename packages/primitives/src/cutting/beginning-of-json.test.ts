import fc from 'fast-check';
import { expect, it } from 'vitest';
import { processorMs } from '../../../../vitest.processor.ts';
import { beginningOfJson } from './beginning-of-json.ts';

const json = fc.oneof(fc.array(fc.jsonValue({ maxDepth: 5 })), fc.dictionary(fc.string(), fc.jsonValue()));

it('is all of a text that is short enough, as JSON has it', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(beginningOfJson(text, 2 ** 8 * text.length)?.value).toEqual(JSON.parse(text));
    }),
  );
});

it('is never more than there is, and counts all there is', () => {
  const check = (begun: unknown, whole: unknown, sizeOf: (of: object) => number) => {
    if (typeof begun !== 'object' || begun === null) return expect(begun).toEqual(whole);
    const of = Object(whole) as Readonly<Record<string, unknown>>;
    expect([Array.isArray(begun), sizeOf(begun)]).toEqual([Array.isArray(of), Object.keys(of).length]);
    for (const [name, each] of Object.entries(begun)) check(each, of[name], sizeOf);
  };
  fc.assert(
    fc.property(json, fc.nat(100), fc.constantFrom(0, 2), (value, maxChars, indent) => {
      const text = JSON.stringify(value, null, indent);
      const begun = beginningOfJson(text, maxChars);
      if (!begun) throw new Error(`nothing of ${text}`);
      check(begun.value, JSON.parse(text), begun.sizeOf);
    }),
    { numRuns: 300 },
  );
});

it('has no item in part behind others, however deep what is missing lies', () => {
  const rows = Array.from({ length: 300 }, (_, id) => ({ id, of: { in: [{ deep: ['x', 'y', id] }] } }));
  const text = JSON.stringify(rows);
  for (let maxChars = 40; maxChars < 400; maxChars += 7) {
    const begun = beginningOfJson(text, maxChars)?.value as typeof rows;
    if (begun.length > 2) expect(begun).toEqual(rows.slice(0, begun.length));
  }
  expect(beginningOfJson(text, 399)?.value).toHaveProperty('10');
});

it('makes no more of fifteen megabytes than is to be shown, within the time that others may wait', () => {
  const text = JSON.stringify(Array.from({ length: 1_500_000 }, () => ({ a: 1 }))).padEnd(15_000_001);
  const began = processorMs();
  const { value, sizeOf } = beginningOfJson(text, 1_000) ?? { value: [], sizeOf: () => 0 };
  expect((value as unknown[]).length).toBeLessThan(1_000);
  expect(sizeOf(value as object)).toBe(1_500_000);
  // Five times the bound: what is measured beside other tests may take longer.
  expect(processorMs() - began).toBeLessThan(500);
});
