import fc from 'fast-check';
import { expect, it } from 'vitest';
import { begunAlone } from './begun-alone.ts';

const kept = () => {
  const texts: string[] = [];
  const keep = async (text: string) => {
    texts.push(text);
    return 'nexus://results/74b41e02-4be7-47f6-90d5-11e6e468aa54';
  };
  return { texts, keep };
};

it('leaves what is short, and what is not alone, as it is', async () => {
  const { texts, keep } = kept();
  const long = { a: 'x'.repeat(900) };
  expect(await begunAlone([{ a: 'x' }], { room: 400, keep })).toEqual([{ a: 'x' }]);
  expect(await begunAlone([long, long], { room: 400, keep })).toEqual([long, long]);
  expect(await begunAlone([], { room: 400, keep })).toEqual([]);
  expect(texts).toEqual([]);
});

it('gives the beginnings of its texts, what is left out of each, and where all of it is', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', '😀', '\n'), maxLength: 2_000 });
  await fc.assert(
    fc.asyncProperty(
      fc.record({ id: fc.constant('a-short-one'), name: text, of: fc.array(text, { maxLength: 3 }) }),
      fc.integer({ min: 0, max: 2_000 }),
      async (item, room) => {
        const { texts, keep } = kept();
        const [begun] = await begunAlone([item], { room, keep });
        if (begun?.whole === undefined) {
          expect(begun).toEqual(item);
          return;
        }
        expect(JSON.stringify(begun).length).toBeLessThanOrEqual(Math.max(room, 700));
        expect([begun.id, texts]).toEqual([item.id, [JSON.stringify(item)]]);
        for (const [at, whole] of [item.name, ...item.of].entries()) {
          const said = [begun.name, ...begun.of][at] ?? '';
          if (said === whole) continue;
          const [, first = '', left] = /^(.*)… \((\d+) more characters\)$/s.exec(said) ?? [];
          expect([whole.startsWith(first), first.length + Number(left)]).toEqual([true, whole.length]);
        }
      },
    ),
  );
});
