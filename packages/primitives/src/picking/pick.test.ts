import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partOf } from './part-of.ts';
import { pathFault, pick } from './pick.ts';
import { joinSplitJson, readResult, wholeOf } from './whole-of.ts';

const step = (key: string | number) => (typeof key === 'number' ? `[${key}]` : `[${JSON.stringify(key)}]`);

/** A path to each leaf: what has no members, or lies as deep as paths reach. */
function leaves(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, each]) => leaves(each, path + step(key)));
}

const objects = fc.jsonValue({ maxDepth: 5 }).filter((value) => leaves(value)[0] !== '');
const at = (value: unknown, paths: string[]) => pick(value, paths).value;

const NAMES = ['a', 'b', '__proto__', 'constructor', 'toString', 'length', '0', 'a.b', '"', ''];
/** JSON as a hostile server would send it: read from text, so that __proto__ is a member of its own. */
const hostile = fc
  .letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.integer().map(String),
      fc.array(tie('value') as fc.Arbitrary<string>, { maxLength: 4 }).map((items) => `[${items}]`),
      fc
        .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), tie('value') as fc.Arbitrary<string>), {
          selector: ([name]) => name,
          maxLength: 5,
        })
        .map((members) => `{${members.map(([name, each]) => `${JSON.stringify(name)}:${each}`)}}`),
    ),
  }))
  .value.map((text) => JSON.parse(text as string) as unknown);
const pathsInto = fc
  .array(fc.oneof(fc.constantFrom(...NAMES), fc.nat({ max: 3 }), fc.constant(undefined)), {
    minLength: 1,
    maxLength: 5,
  })
  .map((steps) => steps.map((each) => (each === undefined ? '[]' : step(each))).join(''));

/** Whether a part has nothing but what is in the whole, in its order. */
function isWithin(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null) return Object.is(part, whole);
  if (typeof whole !== 'object' || whole === null || Array.isArray(part) !== Array.isArray(whole))
    return false;
  let from = 0;
  if (Array.isArray(part) && Array.isArray(whole))
    return part.every((item) => {
      const found = whole.findIndex((each, index) => index >= from && isWithin(item, each));
      from = found + 1;
      return found !== -1;
    });
  const names = Object.keys(whole);
  return Object.entries(part).every(([name, each]) => {
    const found = names.indexOf(name, from);
    from = found + 1;
    return found !== -1 && isWithin(each, Object.getOwnPropertyDescriptor(whole, name)?.value);
  });
}

describe('pick', () => {
  it('gives the whole where every leaf is named, in any order, with members in theirs', () => {
    fc.assert(
      fc.property(objects, fc.nat(), (value, seed) => {
        const paths = leaves(value);
        const turned = [...paths.slice(seed % paths.length), ...paths.slice(0, seed % paths.length)];
        expect(JSON.stringify(at(value, turned))).toBe(JSON.stringify(value));
      }),
    );
  });

  it('never gives what is not there: each leaf of a part is a leaf of the whole that was asked for', () => {
    fc.assert(
      fc.property(objects, fc.infiniteStream(fc.boolean()), (value, coin) => {
        const paths = leaves(value).filter(() => coin.next().value);
        const { value: part, nowhere } = pick(value, paths);
        expect(nowhere).toEqual([]);
        const count = part === undefined ? 0 : leaves(part).length;
        expect(count).toBe(paths.length);
      }),
    );
  });

  it('gives nothing that is not in the value, in the value’s order, whatever it and the paths are', () => {
    fc.assert(
      fc.property(hostile, fc.array(fc.oneof(pathsInto, fc.string()), { maxLength: 8 }), (value, paths) => {
        const sound = paths.filter((path) => pathFault([path]) === undefined);
        const before = JSON.stringify(value);
        const { value: part, nowhere } = pick(value, sound);
        if (part !== undefined) expect(isWithin(part, value)).toBe(true);
        expect(sound).toEqual(expect.arrayContaining([...nowhere]));
        expect(JSON.stringify(value)).toBe(before);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('gives the items of a list in their order, whichever order they are named in', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(), { minLength: 1, maxLength: 20 }),
        fc.infiniteStream(fc.nat()),
        (list, die) => {
          const wanted = list.map(() => (die.next().value ?? 0) % list.length);
          const kept = [...new Set(wanted)].sort((a, b) => a - b).map((index) => list[index]);
          expect(
            at(
              { list },
              wanted.map((index) => `list[${index}]`),
            ),
          ).toEqual({ list: kept });
        },
      ),
    );
  });

  it('takes what it is asked for out of fifteen megabytes', () => {
    const rows = Array.from({ length: 150_000 }, (_, id) => ({ id, text: 'x'.repeat(80) }));
    const whole = readResult(JSON.stringify({ rows: rows.slice(0, 140_000), total: 140_000 }));
    const part = at(whole, ['total', 'rows[].id']) as { rows: { id: number }[]; total: number };
    expect(part.total).toBe(140_000);
    expect(part.rows.map(({ id }) => id)).toEqual(rows.slice(0, 140_000).map(({ id }) => id));
    // More than is read as JSON is a text, of which lines are had.
    expect(typeof readResult(JSON.stringify({ rows: [...rows, ...rows] }))).toBe('string');
  });

  it('takes members of every item, of one item, and both together', () => {
    const value = { items: [{ a: 1, b: 2, c: 3 }, { a: 4, b: 5 }, { c: 6 }], total: 3 };
    expect(at(value, ['items[].a', 'total'])).toEqual({ items: [{ a: 1 }, { a: 4 }], total: 3 });
    expect(at(value, ['items[*].a', 'items[1].b'])).toEqual({ items: [{ a: 1 }, { a: 4, b: 5 }] });
    expect(at(value, ['items[0]', 'items[].c'])).toEqual({ items: [{ a: 1, b: 2, c: 3 }, { c: 6 }] });
    expect(at(value, ['items[].a', 'items'])).toEqual({ items: value.items });
    expect(at([{ 'a.b': { '"': 1 } }], ['[]["a.b"]["\\""]'])).toEqual([{ 'a.b': { '"': 1 } }]);
  });

  it('says which paths lead nowhere, and takes no member that is inherited', () => {
    const { value, nowhere } = pick({ a: [], b: [{ c: 1 }] }, [
      'a[].x',
      'b[].d',
      'b[3]',
      'constructor.name',
      'toString',
      '__proto__.x',
      'b.length',
    ]);
    expect(value).toEqual({ a: [] });
    expect(nowhere).toEqual(['b[].d', 'b[3]', 'constructor.name', 'toString', '__proto__.x', 'b.length']);
  });

  it('takes an own __proto__ as the data that it is', () => {
    const value = JSON.parse('{"__proto__":{"polluted":true},"a":1}');
    const part = at(value, ['__proto__.polluted']);
    expect(JSON.stringify(part)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(part)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('reads any text as a path or says what is wrong with it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '.', '[', ']', '"', '0', '\\', '*') }), (path) => {
        const fault = pathFault([path]);
        if (fault === undefined) pick({ a: [{ a: 1 }] }, [path]);
        else expect(fault).toMatch(/^The path ".*" (has|is) /);
      }),
    );
    expect(pathFault(['a'.repeat(100_000)])).toBeUndefined();
    expect(pathFault(['[0]'.repeat(33)])).toMatch(/more than 32 steps/);
  });

  it('goes no deeper than its paths into 10 000 levels', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level++) deep = { a: deep };
    expect(at({ deep, b: 2 }, ['b', 'deep.a.a'])).toMatchObject({ b: 2, deep: { a: { a: {} } } });
  });
});

describe('a part of a result', () => {
  it('is items of its one list, with the total and how to go on', () => {
    const result = { items: [1, 2, 3, 4, 5], next: null };
    expect(partOf(result, { paths: [], offset: 1, limit: 2 })).toMatchObject({
      value: { items: [2, 3], next: null },
      notes: ['Items 2 to 3 of 5 of items. Go on with offset 3.'],
    });
    expect(partOf([1, 2], { paths: [], offset: 5 })).toMatchObject({
      value: [],
      notes: ['Nothing is at offset 5: the items end at 2.'],
    });
    expect(partOf([1, 2], { paths: [], limit: 2 })).toMatchObject({ value: [1, 2], notes: [] });
    expect(partOf({ a: [1], b: [2] }, { paths: [], limit: 1 })).toEqual({
      fault: expect.stringMatching(/several: a, b\. Name one by pick\.$/),
    });
    expect(partOf({ a: [1, 2], b: [2] }, { paths: ['a'], limit: 1 })).toMatchObject({ value: { a: [1] } });
  });

  it('is members of an object that has many, and no list that is meant alone', () => {
    const map = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, { at, list: [at] }]));
    expect(partOf(map, { paths: [], offset: 10, limit: 2 })).toMatchObject({
      value: { k10: map.k10, k11: map.k11 },
      notes: ['Members 11 to 12 of 50. Go on with offset 12.'],
    });
    const lists = Object.fromEntries(Object.entries(map).map(([name, { list }]) => [name, list]));
    const walked: Record<string, unknown> = {};
    for (let offset = 0; offset < 50; offset += 7) {
      const part = partOf({ of: { lists } }, { paths: ['of.lists'], offset, limit: 7 });
      if ('fault' in part) expect.unreachable(part.fault);
      Object.assign(walked, (part.value as { of: { lists: object } }).of.lists);
    }
    expect(walked).toEqual(lists);
    // A list that is most of it is what is meant; a small one among them is a member like others.
    const list = Array.from({ length: 900 }, (_, at) => at);
    expect(partOf({ ...map, list }, { paths: [], limit: 1 })).toMatchObject({ value: { ...map, list: [0] } });
    expect(partOf({ ...map, k0: [1, 2] }, { paths: [], limit: 1 })).toMatchObject({
      value: { k0: [1, 2] },
      notes: [expect.stringContaining('of 50')],
    });
    const hostile = JSON.parse(`{"__proto__":1,${JSON.stringify(map).slice(1)}`);
    const [first] = [partOf(hostile, { paths: [], limit: 1 })];
    expect(first).toMatchObject({ notes: [expect.stringContaining('of 51')] });
    expect(JSON.stringify(first && 'value' in first && first.value)).toBe('{"__proto__":1}');
  });

  it('is lines of a text, into which no path leads', () => {
    expect(partOf('a\nb\nc', { paths: [], offset: 1, limit: 1 })).toMatchObject({
      value: 'b\n',
      notes: ['Lines 2 to 2 of 3. Go on with offset 2.'],
    });
    for (const text of ['a', '[INFO started '.repeat(2_000)]) {
      expect(partOf(text, { paths: ['a'] })).toEqual({
        fault: expect.stringMatching(/text without members/),
      });
    }
    expect(partOf(`[${'{},'.repeat(150_001)}1]`, { paths: ['[]'] })).toEqual({
      fault: expect.stringMatching(
        /^The result is JSON that holds more than 150000 objects and arrays, so no path/,
      ),
    });
  });

  it('says what there is where a path leads nowhere', () => {
    expect(partOf([{ id: 1, name: 'x' }], { paths: ['[].title'] })).toEqual({
      fault: 'Nothing is at "[].title"; its items have "id", "name".',
    });
  });

  it('reads a text as the JSON it is, and as text where it is none or too deep to be read', () => {
    expect(readResult(' {"a":1}')).toEqual({ a: 1 });
    expect(readResult('{"a":')).toBe('{"a":');
    expect(readResult('12')).toBe('12');
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    expect(readResult(deep)).toBe(deep);
  });
});

describe('texts of several blocks', () => {
  it.each([
    [['{"na', 'me":"DSA"}'], ['{"name":"DSA"}']],
    [[' [{"id":1},', '{"id":2}', ']'], [' [{"id":1},{"id":2}]']],
    [
      ['{"a":1}', '{"b":2}'],
      ['{"a":1}', '{"b":2}'],
    ],
    [
      ['{"a":1', 'and so on'],
      ['{"a":1', 'and so on'],
    ],
    [
      ['one', '{"b":2}'],
      ['one', '{"b":2}'],
    ],
    [['{"a":'], ['{"a":']],
    [[], []],
  ])('are one where they are one JSON: %j', (texts, joined) => {
    expect(joinSplitJson(texts)).toEqual(joined);
  });

  it('are looked into as one where they are one JSON', () => {
    const content = ['{"na', 'me":"DSA"}'].map((text) => ({ type: 'text', text }));
    expect(wholeOf({ content })).toEqual({ name: 'DSA' });
  });
});

describe('what a result says', () => {
  const content = (text: string) => [{ type: 'text', text }];

  it('is its structure, or else its text', () => {
    expect(wholeOf({ structuredContent: { a: 1 }, content: content('{"a":1}') })).toEqual({ a: 1 });
    expect(wholeOf({ content: content('[1]') })).toEqual([1]);
    expect(wholeOf({ content: [] })).toBeUndefined();
    expect(wholeOf({ content: [...content('[1]'), ...content('[2]')] })).toBeUndefined();
  });

  it('is the JSON of its text where the structure only holds that', () => {
    const list = '[{"name":"a"}]';
    expect(wholeOf({ structuredContent: { content: list }, content: content(list) })).toEqual([
      { name: 'a' },
    ]);
    for (const [structuredContent, text] of [
      [{ content: 'words' }, 'words'],
      [{ content: '[1]', more: 1 }, '[1]'],
      [{ content: '[1]' }, '[2]'],
    ] as const) {
      expect(wholeOf({ structuredContent, content: content(text) })).toEqual(structuredContent);
    }
  });
});
