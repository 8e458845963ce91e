import { describe, expect, it } from 'vitest';
import { shrinkSchema } from './shrink-schema.ts';

const forms = (schema: Record<string, unknown>) => [...shrinkSchema(schema)];

describe('a schema that shrinks', () => {
  it('begins as served and ends with its bare names', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { path: { type: 'string', description: 'x'.repeat(200) }, depth: { type: 'integer' } },
      required: ['path'],
    };
    const all = forms(schema);
    expect(all[0]).toBe(schema);
    expect(all[1]).toEqual({
      type: 'object',
      properties: {
        path: { type: 'string', description: `${'x'.repeat(119)}…` },
        depth: { type: 'integer' },
      },
      required: ['path'],
    });
    expect(all.at(-2)).toEqual({
      type: 'object',
      properties: { path: { type: 'string' }, depth: { type: 'integer' } },
      required: ['path'],
    });
    expect(all.at(-1)).toEqual({ type: 'object', required: ['path'] });
  });

  it('grows from no form to the next', () => {
    const deep = (levels: number): Record<string, unknown> => ({
      type: 'object',
      description: 'A level, described at some length so that it can be cut.',
      properties: levels === 0 ? {} : { a: deep(levels - 1), b: { type: 'array', items: deep(levels - 1) } },
    });
    const sizes = forms(deep(6)).map((form) => JSON.stringify(form).length);
    expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
  });

  it('follows references, also those that lead in circles', () => {
    const schema = {
      type: 'object',
      properties: {
        tree: { $ref: '#/$defs/node' },
        same: { $ref: '#/properties/tree' },
        far: { $ref: 'other.json' },
      },
      $defs: { node: { type: 'object', properties: { child: { $ref: '#/$defs/node' } } } },
    };
    const [, , , small] = forms(schema);
    expect(small).toMatchObject({
      properties: { tree: { type: 'object', properties: { child: { type: 'object' } } }, far: {} },
    });
    expect(JSON.stringify(small)).not.toContain('$ref');
  });

  it('stays small where a wide schema refers to itself', () => {
    const names = Array.from({ length: 60 }, (_, index) => `p${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#' }]));
    for (const form of forms({ type: 'object', properties })) {
      expect(JSON.stringify(form).length).toBeLessThan(100_000);
    }
  });

  it('tells of a long list of values instead of listing a part of it', () => {
    const values = Array.from({ length: 40 }, (_, index) => `v${index}`);
    const [, first] = forms({ type: 'object', properties: { kind: { type: 'string', enum: values } } });
    expect(first).toEqual({
      type: 'object',
      properties: { kind: { type: 'string', description: 'one of 40 values: v0, v1, v2…' } },
    });
  });

  it.each([
    [{}],
    [{ properties: [] }],
    [{ properties: { a: true, b: null, c: 'x' }, required: 'all' }],
    [{ anyOf: [true, { type: 'object' }], items: [{}] }],
    [{ $ref: '#' }],
    [{ $ref: '#/%zz' }],
    [{ $ref: 7, description: {} }],
  ])('bears what is no sound schema: %j', (schema) => {
    expect(forms(schema).length).toBeGreaterThan(1);
  });
});
