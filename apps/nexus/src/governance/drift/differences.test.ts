import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeDifference, differences } from './differences.ts';

const search = {
  name: 'search',
  description: 'Finds text.',
  inputSchema: {
    type: 'object',
    properties: {
      limit: { type: 'integer', maximum: 50 },
      mode: { anyOf: [{ const: 'a' }, { const: 'b' }] },
    },
    required: ['limit'],
  },
  annotations: { readOnlyHint: true },
};
const lock = (tools: Record<string, unknown>) => ({ tools });
const described = (before: object, after: object) =>
  differences(lock({ search: before }), lock({ search: after })).map(describeDifference);

describe('differences', () => {
  it('finds none in equal locks, whatever the order of keys', () => {
    const { name, ...rest } = search;
    expect(described(search, { ...rest, name })).toEqual([]);
  });

  it('names a tool that came and one that went', () => {
    const found = differences(lock({ search }), lock({ find: search }));
    expect(found.map(describeDifference)).toEqual(['tool find: added', 'tool search: removed']);
  });

  it('names the field, however deep, with old and new value', () => {
    const inputSchema = {
      ...search.inputSchema,
      properties: { ...search.inputSchema.properties, limit: { type: 'integer', maximum: 100 } },
    };
    expect(described(search, { ...search, inputSchema })).toEqual([
      'tool search: inputSchema.properties.limit.maximum: 50 -> 100',
    ]);
  });

  it('names the entry of a list of objects', () => {
    const mode = { anyOf: [{ const: 'a' }, { const: 'c' }] };
    const inputSchema = { ...search.inputSchema, properties: { ...search.inputSchema.properties, mode } };
    expect(described(search, { ...search, inputSchema })).toEqual([
      'tool search: inputSchema.properties.mode.anyOf.1.const: "b" -> "c"',
    ]);
  });

  it('tells a lost field from a changed one', () => {
    const { annotations: _lost, ...bare } = search;
    expect(described(search, bare)).toEqual(['tool search: annotations: {"readOnlyHint":true} -> nothing']);
  });

  it('counts the order in a list of plain values as a difference', () => {
    expect(described({ enum: ['a', 'b'] }, { enum: ['b', 'a'] })).toHaveLength(1);
  });

  it('cuts long texts to where they part', () => {
    const words = 'word '.repeat(100);
    const [line = ''] = described({ description: `${words}old` }, { description: `${words}new` });
    expect(line.length).toBeLessThan(200);
    expect(line).toMatch(/old" -> .*new"$/);
  });

  it('finds none between anything and itself, and some between any two that differ as JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (first, second) => {
        expect(differences(lock({ it: first }), lock({ it: first }))).toEqual([]);
        const found = differences(lock({ it: first }), lock({ it: second }));
        const isSame = canonical(first) === canonical(second);
        expect(found.length === 0).toBe(isSame);
      }),
    );
  });
});

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, nested: unknown) =>
    nested !== null && typeof nested === 'object' && !Array.isArray(nested)
      ? Object.fromEntries(Object.entries(nested).sort(([a], [b]) => (a < b ? -1 : 1)))
      : nested,
  );
}
