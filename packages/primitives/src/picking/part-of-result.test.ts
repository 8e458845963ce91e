import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../../vitest.processor.ts';
import { partOf } from './part-of.ts';
import { partOfResult } from './part-of-result.ts';

const rows = Array.from({ length: 160_000 }, (_, id) => ({ id, tags: id % 3 === 0 ? ['a'] : [] }));
const ROWS = JSON.stringify(rows);
/** More than is read whole, whatever stands beside it. */
const FILL = `[${'[],'.repeat(150_000)}[]]`;

const read = async (text: string, wanted: Partial<Parameters<typeof partOf>[1]>) => {
  const part = await partOfResult(text, { paths: [], ...wanted });
  if ('fault' in part) throw new Error(part.fault);
  return part;
};

describe('JSON that is too large to be read whole', () => {
  it('is walked by its items to the end, each once and whole, whatever stands around the list', async () => {
    for (const [text, put] of [
      [ROWS, (some: unknown) => some],
      [
        ` { "data" : { "rows" : ${ROWS} , "total" : 160000 } } `,
        (some: unknown) => ({ data: { rows: some } }),
      ],
    ] as const) {
      const seen: unknown[] = [];
      for (let offset = 0; ; ) {
        const { value, notes } = await read(text, { offset, maxChars: 1_000_000 });
        const some = Array.isArray(value) ? value : (value as { data: { rows: unknown[] } }).data.rows;
        expect(value).toEqual(put(some));
        seen.push(...some);
        const [, from, of, next] =
          /^Items (\d+) to \d+ of (\d+)(?: of data\.rows)?\.(?: Go on with offset (\d+)\.)?$/.exec(
            notes[0] ?? '',
          ) ?? [];
        expect([from, of]).toEqual([`${offset + 1}`, '160000']);
        if (next === undefined) break;
        offset = Number(next);
      }
      expect(seen).toEqual(rows);
    }
  });

  it('gives what paths name, each place of it as of any smaller JSON', async () => {
    const names = fc.oneof(fc.constantFrom('a', '__proto__', 'a.b', '"', 'length'), fc.string());
    const value = fc.dictionary(names, fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 });
    const wanted = fc.record({
      offset: fc.option(fc.nat(4), { nil: undefined }),
      limit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    });
    const inside = fc.constantFrom('', '[0]', '[1]', '[]', '.a', '["__proto__"]', '[0][0]');
    await fc.assert(
      fc.asyncProperty(
        value,
        wanted,
        fc.constantFrom('x', 'y[1]'),
        inside,
        async (given, range, at, rest) => {
          const text = `{"fill":${FILL},"x":${JSON.stringify(given)},"y":[0,${JSON.stringify(given)}]}`;
          const want = { ...range, paths: [at + rest] };
          const part = await partOfResult(text, want);
          const small = JSON.parse(`{"x":${JSON.stringify(given)},"y":[0,${JSON.stringify(given)}]}`);
          const asSmall = partOf(small, want);
          if ('fault' in asSmall) expect(part).toHaveProperty('fault');
          else expect(part).toEqual(asSmall);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('gives of every item what paths name, page by page, and members beside one another', async () => {
    const text = `{"rows":${ROWS},"total":160000}`;
    expect(await read(text, { paths: ['rows[].id'], offset: 159_998 })).toMatchObject({
      value: { rows: [{ id: 159_998 }, { id: 159_999 }] },
      notes: ['Items 159999 to 160000 of 160000 of rows.'],
    });
    expect(await read(text, { paths: ['rows[5].id'] })).toEqual({ value: { rows: [{ id: 5 }] }, notes: [] });
    expect(await read(text, { paths: ['[0][3].tags'] })).toMatchObject({
      value: { rows: [{ tags: ['a'] }] },
    });
    expect(await read(text, { paths: ['total'] })).toEqual({ value: { total: 160_000 }, notes: [] });
    const many = `{"fill":${FILL},"a":1,"b":{"c":2}}`;
    expect(await read(many, { paths: ['b.c', 'a'] })).toEqual({ value: { a: 1, b: { c: 2 } }, notes: [] });
    expect(await partOfResult(text, { paths: ['rows[].id', 'total'] })).toEqual({
      fault: expect.stringMatching(/^"rows" holds more than 150000 objects and arrays: pick it alone\.$/),
    });
    expect(await partOfResult(text, { paths: ['row[].id'] })).toEqual({
      fault: 'Nothing is at "[\\"row\\"]"; what it would be in has "rows", "total".',
    });
  });

  it('goes on past an item that is too large itself, of which there is the beginning', async () => {
    const text = `[1,${ROWS},{"a":2}]`;
    const part = await read(text, { offset: 1, maxChars: 500 });
    expect(part.notes).toEqual([
      expect.stringMatching(/^\[1\] has \d+ characters, and only its beginning is here: pick it alone\.$/),
      'Items 2 to 2 of 3. Go on with offset 2.',
    ]);
    const [begun] = part.value as [unknown[]];
    expect(begun).toEqual(rows.slice(0, begun.length));
    expect(await read(text, { offset: 2 })).toMatchObject({ value: [{ a: 2 }] });
    expect(await read(text, { paths: ['[1]'], offset: 159_999 })).toMatchObject({ value: [rows.slice(-1)] });
  });

  it('is read as the lines it has where it is no JSON after all', async () => {
    const { value } = await read(`[\n${'[],\n'.repeat(150_001)}and so on`, { offset: 150_002 });
    expect(value).toBe('and so on');
  });

  it('is read as its lines, at once, where it is nested too deep for any value', async () => {
    const deep = `${'{"a":'.repeat(60_000)}1${'}'.repeat(60_000)}`;
    for (const text of [
      `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
      deep,
      `{"list":[${'[],'.repeat(150_000)}${deep}]}`,
    ]) {
      const begun = processorMs();
      const part = await partOfResult(text, { paths: [], limit: 1, maxChars: 10_000 });
      expect(part).toMatchObject({ value: text.slice(0, 10_000) });
      expect(processorMs() - begun).toBeLessThan(300);
      expect(await partOfResult(text, { paths: ['a'] })).toMatchObject({ fault: expect.any(String) });
    }
  });

  it('is gone into no deeper than is quick where members stand alone', async () => {
    const levels = 800;
    const text = `${'{"a":'.repeat(levels)}${FILL}${'}'.repeat(levels)}`;
    const begun = processorMs();
    const { value } = await read(text, { limit: 1, maxChars: 1_000 });
    expect(JSON.stringify(value).length).toBeLessThan(2_000);
    expect(processorMs() - begun).toBeLessThan(2_000);
  });

  it('keeps others waiting no longer than a piece of it takes', async () => {
    const text = `[${'{"a":1},'.repeat(1_800_000)}1]`;
    let longest = 0;
    let at = processorMs();
    const timer = setInterval(() => {
      longest = Math.max(longest, processorMs() - at);
      at = processorMs();
    }, 1);
    const { value } = await read(text, { offset: 1_800_000 });
    clearInterval(timer);
    expect(value).toEqual([1]);
    // Three times the bound, for what runs beside it.
    expect(longest).toBeLessThan(300);
  });
});
