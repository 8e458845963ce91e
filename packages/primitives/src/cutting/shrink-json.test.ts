import fc from 'fast-check';
import { expect, it } from 'vitest';
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
