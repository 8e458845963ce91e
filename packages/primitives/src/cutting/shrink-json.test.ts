import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWritten, writtenJson } from '../written-json.ts';
import { fewerIn } from './fewer.ts';
import { shrinkJson } from './shrink-json.ts';

it('keeps the kind of every value it keeps, and gets shorter or was short enough', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 0, max: 500 }), (value, max) => {
      const shrunk = shrinkJson(value, max, 'nexus://x');
      if (JSON.stringify(value).length <= max) expect(shrunk).toBe(value);
      expect(sameKinds(shrunk, value)).toBe(true);
    }),
  );
});

it('has no more characters than there is room for, whatever it holds: long names, numbers, levels', () => {
  const names = fc.string({ maxLength: 60, unit: fc.constantFrom('a', '"', 'ü', '😀') });
  const numbers = fc.oneof(fc.double(), fc.maxSafeInteger(), fc.string({ maxLength: 400 }));
  const { value: values } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      numbers,
      fc.array(tie('value'), { maxLength: 40 }),
      fc.dictionary(names, tie('value'), { maxKeys: 60 }),
    ),
  }));
  fc.assert(
    fc.property(values, fc.integer({ min: 0, max: 4_000 }), (value, max) => {
      const { length } = JSON.stringify(shrinkJson(value, max, `nexus://results/${'x'.repeat(36)}`));
      // What stands alone can't be less than itself.
      expect(length).toBeLessThanOrEqual(Math.max(max, 32));
    }),
  );
});

it('never gets longer, whatever is said in the place of what is left out', () => {
  const texts = fc.string({ maxLength: 300, unit: fc.constantFrom('a', '"', '\\', '\n', 'ü') });
  const values = fc.array(fc.record({ text: texts, list: fc.array(texts, { maxLength: 4 }) }), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(values, fc.integer({ min: 0, max: 5_000 }), (value, max) => {
      const { length } = JSON.stringify(shrinkJson(value, max, `nexus://results/${'x'.repeat(36)}`));
      expect(length).toBeLessThanOrEqual(JSON.stringify(value).length);
    }),
  );
});

it('keeps fewer items whole in the place of shreds of all', () => {
  const items = Array.from({ length: 16 }, (_, id) => ({ id, text: 'word '.repeat(80) }));
  const shrunk = shrinkJson({ items }, 4_500, 'nexus://x') as { items: typeof items };
  expect(shrunk.items).toEqual(items.slice(0, shrunk.items.length));
  expect(shrunk.items.length).toBeGreaterThan(8);
});

it('counts a text as long as its JSON is', () => {
  const shrunk = shrinkJson({ text: '"quoted" \\ '.repeat(10_000) }, 20_000, 'nexus://x');
  expect(JSON.stringify(shrunk).length).toBeLessThanOrEqual(20_000);
  expect(JSON.stringify(shrunk).length).toBeGreaterThan(18_000);
});

it('shares the room among the members, so that a short one is never cut for a long one', () => {
  const value = {
    note: 'short',
    text: 'x'.repeat(1_000),
    list: Array.from({ length: 100 }, (_, index) => index),
  };
  const shrunk = shrinkJson(value, 300, 'nexus://x') as typeof value;
  expect(shrunk.note).toBe('short');
  expect(shrunk.text).toMatch(/^x+\n\[….*nexus:\/\/x …\]\nx+$/);
  expect(shrunk.list).toEqual(value.list.slice(0, shrunk.list.length));
});

it('cuts no id, time or address for a text beside it', () => {
  const short = {
    id: 'task_0123456789abcdef',
    at: '2026-11-28T22:36:38.000Z',
    uri: `nexus://results/${'x'.repeat(36)}`,
  };
  for (const max of [240, 400]) {
    const value = { title: 't'.repeat(300), ...short, note: 'n'.repeat(3_000) };
    expect(shrinkJson(value, max, 'nexus://x')).toMatchObject(short);
  }
});

it('has each short text whole or not at all, the first before others, however little room there is', () => {
  const id = '01234567-89ab-0123-4567-89ab01234567';
  const value = {
    jobId: id,
    status: 'completed',
    createdAt: '2026-11-28T22:36:38.000Z',
    result: { runId: id, needs: [id, id], output: 'x'.repeat(4_000), steps: [{ id, text: 'y'.repeat(900) }] },
  };
  const whole = new Set([id, 'completed', value.createdAt]);
  for (let max = 60; max < 700; max += 1) {
    const shrunk = shrinkJson(value, max, `nexus://results/${id}`) as Partial<typeof value>;
    const { result, ...short } = shrunk;
    const { output: _, steps = [], needs = [], ...ids } = result ?? {};
    const shown = [...Object.values(short), ...Object.values(ids), ...needs, ...steps.map((step) => step.id)];
    expect(shown.filter((text) => text !== undefined && !whole.has(text))).toEqual([]);
    expect([max, shrunk.jobId]).toEqual([max, id]);
  }
});

it('leaves members out only where there are more than there is room for', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key${index}`, index]));
  const shrunk = shrinkJson(many, 320, 'nexus://x') as typeof many;
  expect(Object.keys(shrunk)).toEqual(Object.keys(many).slice(0, 20));
});

it('keeps all steps of a run, each shortened, where there is room to say something of each', () => {
  const steps = Array.from({ length: 5 }, (_, index) => ({ id: `step${index}`, output: 'x'.repeat(10_000) }));
  const shrunk = shrinkJson({ steps }, 25_000, 'nexus://x') as { steps: typeof steps };
  expect(shrunk.steps.map(({ id }) => id)).toEqual(steps.map(({ id }) => id));
  expect(shrunk.steps.every(({ output }) => output.includes('left out; the whole text is'))).toBe(true);
  expect(JSON.stringify(shrunk).length).toBeLessThanOrEqual(25_000);
});

it('has room for a value exactly where its JSON has', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const { length } = JSON.stringify(value);
      expect(shrinkJson(value, length, 'nexus://x')).toBe(value);
      if (length > 2 && typeof value === 'object' && value !== null)
        expect(shrinkJson(value, length - 1, 'nexus://x')).not.toBe(value);
    }),
  );
});

it('reads no more of a value than it has room for, at each of its levels', () => {
  let reads = 0;
  const leaf = {
    get text() {
      reads += 1;
      return 'x';
    },
  };
  let deep: unknown = Array.from({ length: 1_000 }, () => leaf);
  for (let level = 0; level < 50; level += 1) deep = [deep];
  shrinkJson(deep, 500, 'nexus://x');
  expect(reads).toBeLessThan(5_000);
});

it('says of which lists items are left out', () => {
  const value = { steps: Array.from({ length: 500 }, (_, index) => ({ id: index, text: 'x'.repeat(50) })) };
  const shrunk = shrinkJson(value, 1_000, 'nexus://x') as typeof value;
  expect(fewerIn(value, shrunk)).toEqual([{ path: 'steps', kept: shrunk.steps.length, of: 500 }]);
  expect(fewerIn(value, value)).toEqual([]);
});

function sameKinds(a: unknown, b: unknown): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && a.every((item, index) => sameKinds(item, b[index]));
  if (typeof a !== 'object' || a === null) return typeof a === typeof b;
  return (
    typeof b === 'object' &&
    b !== null &&
    !Array.isArray(b) &&
    Object.entries(a).every(([key, each]) => sameKinds(each, b[key as keyof typeof b]))
  );
}

it('cuts a text that is JSON by its shape', () => {
  const rows = Array.from({ length: 500 }, (_, id) => ({ id, name: `row ${id}` }));
  const { content } = shrinkJson({ content: JSON.stringify({ rows }) }, 3_000, 'nexus://x') as {
    content: string;
  };
  const [json = '', note = ''] = content.split('\n');
  const shown = JSON.parse(json) as { rows: typeof rows };
  expect(shown.rows).toEqual(rows.slice(0, shown.rows.length));
  expect(shown.rows.length).toBeGreaterThan(20);
  expect(note).toContain(`it has here of rows ${shown.rows.length} of 500 …]`);
});

describe('a text', () => {
  const jsonChars = (value: unknown) => JSON.stringify(value).length;

  it('is its beginning and how much more there is, where there is no room to say where the whole is', () => {
    const shown = shrinkJson('a'.repeat(1_000), 60, 'nexus://x');
    const [, head = '', left] = /^(a+)… \((\d+) more characters\)$/.exec(String(shown)) ?? [];
    expect(Number(left)).toBe(1_000 - head.length);
    expect(jsonChars(shown)).toBeLessThanOrEqual(60);
    expect(jsonChars(shown)).toBeGreaterThan(55);
  });

  it('ends before JSON that would be broken', () => {
    expect(shrinkJson(`Found: ${JSON.stringify(['a', 'b'.repeat(500)])}`, 60, 'nexus://x')).toBe(
      'Found: … (508 more characters)',
    );
  });

  it('stays where what stands in its place would be no shorter', () => {
    const [as, bs] = ['a'.repeat(22), 'b'.repeat(23)];
    expect(shrinkJson([as], 10, 'nexus://x')).toEqual([]);
    expect(shrinkJson(as, 10, 'nexus://x')).toBe(as);
    expect(shrinkJson(bs, 10, 'nexus://x')).toBe('… (23 more characters)');
    // Each of these is six as JSON, so that the note takes less room than they do, and is longer.
    const escaped = '\u0001'.repeat(80);
    expect(String(shrinkJson(escaped, 450, 'nexus://x')).length).toBeLessThanOrEqual(escaped.length);
  });

  it('takes no room from another by what is escaped in it', () => {
    const { plain } = shrinkJson(
      { quotes: '"'.repeat(9_000), plain: 'x'.repeat(9_000) },
      4_000,
      'nexus://x',
    ) as {
      plain: string;
    };
    expect(plain.length).toBeGreaterThan(1_700);
  });

  it('is no number, which stays as it was written, and nothing is nothing', () => {
    const digits = '1'.repeat(200);
    expect(writtenJson(shrinkJson(parseWritten(`[${digits}]`), 120, 'nexus://x'))).toBe('[]');
    expect(writtenJson(shrinkJson(parseWritten(digits), 120, 'nexus://x'))).toBe(digits);
    expect(shrinkJson(null, 2, 'nexus://x')).toBeNull();
  });
});

describe('a list', () => {
  it('has as many of its items as fit', () => {
    const ones = Array.from({ length: 100 }, () => 1);
    expect(shrinkJson(ones, 9, 'nexus://x')).toEqual([1, 1, 1, 1]);
    expect(shrinkJson({ ones, two: [2] }, 40, 'nexus://x')).toEqual({ ones: ones.slice(0, 10), two: [2] });
  });

  it('has of a long first item what fits, and no second, as long as an item says anything', () => {
    const [first, ...others] = shrinkJson(['a'.repeat(900), 'b'.repeat(900)], 500, 'nexus://x') as string[];
    expect(first).toMatch(/^a+\n\[….*nexus:\/\/x …\]\na+$/);
    expect(others).toEqual([]);
    expect(shrinkJson([{ a: 'x'.repeat(100) }], 16, 'nexus://x')).toEqual([{}]);
    expect(shrinkJson([{ a: 'x'.repeat(100) }], 15, 'nexus://x')).toEqual([]);
  });

  it('has no part of a first item that is a short text', () => {
    expect(shrinkJson(['i'.repeat(88)], 60, 'nexus://x')).toEqual([]);
    expect(shrinkJson(['i'.repeat(89)], 60, 'nexus://x')).toEqual([expect.stringMatching(/^i+… /)]);
    expect(shrinkJson([['i'.repeat(9), 'j'.repeat(60)]], 60, 'nexus://x')).toEqual([['i'.repeat(9)]]);
  });

  it('has all of its items where each has room to say something, a short one whole', () => {
    const [short, long] = [{ id: 1, tags: ['a', 'b'] }, 'x'.repeat(9_000)];
    const shown = shrinkJson([short, long, short], 3_000, 'nexus://x') as unknown[];
    expect(shown).toHaveLength(3);
    expect([shown[0], shown[2]]).toEqual([short, short]);
    expect(shrinkJson([short, long, short], 2_999, 'nexus://x')).toEqual([short]);
  });
});

describe('an object', () => {
  const names = (value: object, max: number) => Object.keys(shrinkJson(value, max, 'nexus://x') as object);

  it('has no name that leaves no room beside it', () => {
    const name = 'k'.repeat(60);
    expect(names({ [name]: 1, list: Array(99).fill(1) }, 120)).toEqual([name, 'list']);
    expect(names({ [name]: 1, list: Array(99).fill(1) }, 119)).toEqual(['list']);
    const long = 'l'.repeat(500);
    expect(names({ [long]: 1, [`${long}l`]: 2, text: 'x'.repeat(9_000) }, 5_000)).toEqual([long, 'text']);
  });

  it('gives a long member all that the short ones leave', () => {
    // With its name each is ninety characters of JSON, just what a short one may have.
    const ids = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`id${at + 10}`, 'i'.repeat(80)]));
    const shown = shrinkJson({ text: 't'.repeat(9_000), ...ids }, 2_800, 'nexus://x') as { text: string };
    expect(shown).toMatchObject(ids);
    expect(shown.text.length).toBeGreaterThan(700);
  });

  it('has a part of each where there is no room for all that are short', () => {
    const lists = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`list${at}`, Array(30).fill(1)]));
    const shown = shrinkJson(lists, 800, 'nexus://x') as typeof lists;
    expect(Object.keys(shown)).toEqual(Object.keys(lists));
    expect(Object.values(shown).every((list) => list.length > 8)).toBe(true);
  });

  it('has a short text whole before a long one has its share, and up to the last character of the room', () => {
    // With its name it is ninety characters of JSON.
    const id = 'i'.repeat(81);
    expect(shrinkJson({ text: 't'.repeat(300), one: id }, 150, 'nexus://x')).toMatchObject({ one: id });
    expect(names({ one: id, two: id, tri: id }, 181)).toEqual(['one', 'two']);
    expect(names({ one: id, two: id, tri: id }, 180)).toEqual(['one']);
  });

  it('has a short list whole before long texts have their share, which is all that is left', () => {
    const short = { one: 'i'.repeat(81), list: Array(39).fill(1) };
    const value = { ...short, text: 't'.repeat(900), more: 'm'.repeat(900) };
    const shown = shrinkJson(value, 300, 'nexus://x') as typeof value;
    expect(shown).toMatchObject(short);
    expect(shown.text.length).toBe(shown.more.length);
    expect(writtenJson(shown).length).toBeGreaterThan(295);
  });

  it('has nothing in the place of a value as a short text is: where there is room', () => {
    const [one, two] = ['a'.repeat(60), 'b'.repeat(60)];
    expect(names({ [one]: null, [two]: null, list: Array(30).fill(1) }, 120)).toEqual([one, 'list']);
  });
});
