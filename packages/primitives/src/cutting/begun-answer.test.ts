import fc from 'fast-check';
import { expect, it } from 'vitest';
import { begunAnswer } from './begun-answer.ts';
import { begunText } from './begun-text.ts';
import { UNKEPT } from './own-words.ts';

type Value = string | number | boolean | null | Value[] | { [name: string]: Value };

/** What is there is that of the whole, from the beginning, and what is missing is told. */
function isBegun(begun: unknown, whole: unknown, mayLack = false): boolean {
  if (typeof whole === 'string' && typeof begun === 'string' && begun !== whole) {
    const [, first = '', left] = /^(.*)… \((\d+) more characters\)$/s.exec(begun) ?? [];
    return whole.startsWith(first) && first.length >= 9 && first.length + Number(left) === whole.length;
  }
  if (Array.isArray(whole) && Array.isArray(begun))
    return begun.every((each, at) => isBegun(each, whole[at], mayLack));
  if (typeof whole !== 'object' || whole === null) return begun === whole;
  const names = Object.keys(whole);
  const there = Object.keys(Object(begun));
  const first = mayLack ? names.slice(0, there.length) : names;
  return (
    there.join() === first.join() &&
    first.every((name) => isBegun(Object(begun)[name], Object(whole)[name], mayLack))
  );
}

it('has all members, of lists the first items and of long texts the beginning, and says so', () => {
  const { value } = fc.letrec<{ value: Value }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string({ unit: fc.constantFrom('a', '"', '😀', '\n'), maxLength: 900 }),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 12 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), tie('value')),
    ),
  }));
  fc.assert(
    fc.property(
      fc.record({ id: fc.constant('an-id'), first: value, second: value }),
      fc.integer({ min: 400, max: 3_000 }),
      (answer, maxChars) => {
        const forms = begunAnswer(answer, maxChars, UNKEPT);
        const least = begunAnswer(answer, 0, UNKEPT);
        for (const [at, { whole, leftOut, ...begun }] of forms.entries()) {
          expect(whole).toBe(UNKEPT);
          expect(isBegun(begun, answer, at === 1)).toBe(true);
          const { length } = JSON.stringify({ whole, leftOut, ...begun });
          // Texts that are short, and members, stay where there is no room for them either.
          expect(length).toBeLessThanOrEqual(Math.max(maxChars, JSON.stringify(least[at]).length + 150));
        }
      },
    ),
  );
});

it('gives the first items whole, and says which lists have fewer', () => {
  const tools = Array.from({ length: 28 }, (_, at) => `box__it__tool_${at}`);
  const [begun = { tools: [], leftOut: '' }] = begunAnswer({ toolbox: 'box', total: 28, tools }, 400, UNKEPT);
  expect(JSON.stringify(begun).length).toBeLessThanOrEqual(400);
  expect(begun.tools.length).toBeGreaterThan(8);
  expect(begun.tools).toEqual(tools.slice(0, begun.tools.length));
  expect(begun.leftOut).toBe(`of tools ${begun.tools.length} of 28`);
});

it('has fewer members inside, where all of them have no room, and says of what', () => {
  const result = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`name_${at}`, 'a short text']));
  const [, fewer] = begunAnswer({ jobId: 'job_1', result }, 400, UNKEPT);
  const kept = Object.keys(fewer?.result ?? {}).length;
  expect(kept).toBeGreaterThan(2);
  expect([fewer?.jobId, fewer?.leftOut]).toEqual(['job_1', `of result ${kept} of 20`]);
  expect(JSON.stringify(fewer).length).toBeLessThanOrEqual(400);
});

it('is no shorter text than whole lines, with what it fenced closed', () => {
  const line = fc.oneof(
    fc.constantFrom('```json', '```', '{"a":["b","c","d","e"]}', '# A', 'so it goes on'),
    fc.string({ unit: fc.constantFrom('a', ' ', '😀'), maxLength: 300 }),
  );
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 300, max: 2_000 }),
      (lines, maxChars) => {
        const isFenced = lines.filter((each) => each.startsWith('```')).length % 2 === 0;
        const text = lines.join('\n');
        if (text.length <= maxChars || !isFenced) return;
        const shown = begunText(text, maxChars, UNKEPT).split('\n');
        expect(shown.filter((each) => each.startsWith('```')).length % 2).toBe(0);
        expect(shown[0]).toContain(UNKEPT);
        const gap = shown.findIndex((each) => each.endsWith('characters left out here …]'));
        expect(gap).toBeGreaterThan(0);
        // But for JSON, which is cut by its shape.
        for (const each of [...shown.slice(1, gap), ...shown.slice(gap + 1)].filter((one) => one !== ''))
          expect(each.startsWith('{') || each === '```' || lines.includes(each)).toBe(true);
      },
    ),
  );
});
