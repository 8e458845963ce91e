import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exampleArguments } from './example.ts';
import { toInputSchema } from './json-schema.ts';

const shapes = {
  'short text': z.string().max(2),
  'long text': z.string().min(40),
  'text of one length': z.string().length(3),
  'a number below 1': z.number().max(0.5),
  'a number below 0': z.number().lt(0),
  'a number between bounds that are excluded': z.number().gt(0.2).lt(0.4),
  'a large integer': z.int().gt(41),
  'a negative integer': z.int().lte(-7),
  'a multiple': z.number().min(10).multipleOf(25),
  'a negative multiple': z.int().max(-1).multipleOf(4),
  'a nullable integer': z.int().min(5).nullable(),
  'an enumeration': z.enum(['a', 'b']),
  'a literal': z.literal(7),
  'several literals': z.literal(['x', 'y']),
  'a boolean': z.boolean(),
  null: z.null(),
  anything: z.unknown(),
  'an array with at least two': z.array(z.int().min(3)).min(2),
  'a tuple': z.tuple([z.string(), z.number(), z.boolean()]),
  'a union of objects': z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]),
  'a discriminated union': z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('file'), path: z.string().min(9) }),
    z.object({ kind: z.literal('url'), url: z.url() }),
  ]),
  'an intersection': z.intersection(z.object({ a: z.string() }), z.object({ b: z.number().min(2) })),
  'a record': z.record(z.string(), z.number()),
  'a record of known keys': z.record(z.enum(['a', 'b']), z.number().max(0)),
  'a nested object': z.object({ deep: z.object({ deeper: z.object({ n: z.int().min(9) }) }) }),
  'an e-mail address': z.email(),
  'a URL': z.url(),
  'a UUID': z.uuid(),
  'a date': z.iso.date(),
  'a date and time': z.iso.datetime(),
  'a duration': z.iso.duration(),
  'an IPv4 address': z.ipv4(),
  'an IPv6 address': z.ipv6(),
  'a pattern, by its examples': z
    .string()
    .regex(/^run_[0-9a-f]{8}$/)
    .meta({ examples: ['run_0123abcd'] }),
  'a default': z.string().min(30).default('a default that is at least thirty'),
} satisfies Record<string, z.ZodType>;

function examplePasses(shape: Record<string, z.ZodType>): boolean {
  const input = z.object(shape);
  return input.strict().safeParse(exampleArguments(toInputSchema(input))).success;
}

describe('the example made from a schema', () => {
  it.each(Object.entries(shapes))('passes for %s', (_, schema) => {
    expect(examplePasses({ value: schema })).toBe(true);
  });

  it('holds required properties only', () => {
    const input = z.object({ a: z.string(), b: z.string().optional(), c: z.string().default('x') });
    expect(exampleArguments(toInputSchema(input))).toEqual({ a: 'text' });
  });

  it('prefers the author’s examples, then the default', () => {
    const input = z.object({ a: z.string().meta({ examples: ['src/main.ts'], default: 'no' }) });
    expect(exampleArguments(toInputSchema(input))).toEqual({ a: 'src/main.ts' });
  });

  it('reads what zod does not write: branches that only add to the object they stand in', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: ['integer', 'null'], minimum: 4 } },
      required: ['a'],
      anyOf: [{ required: ['b'] }, { required: ['c'] }],
    };
    expect(exampleArguments(schema)).toEqual({ a: 'text', b: 4 });
  });

  it('stays small for a schema that asks for more than is of use to show', () => {
    const schema = {
      type: 'object',
      properties: { text: { type: 'string', minLength: 1e12 }, list: { type: 'array', minItems: 1e12 } },
      required: ['text', 'list'],
    };
    expect(JSON.stringify(exampleArguments(schema)).length).toBeLessThan(5_000);
  });

  it('is an empty object for a schema that says nothing', () => {
    expect(exampleArguments({})).toEqual({});
  });
});

describe('the example for any schema', () => {
  const small = fc.integer({ min: 0, max: 12 });
  const bound = fc.integer({ min: -1000, max: 1000 });
  const leaf = fc.oneof(
    fc.tuple(small, small).map(([min, more]) =>
      z
        .string()
        .min(min)
        .max(min + more),
    ),
    fc.tuple(bound, small).map(([min, more]) =>
      z
        .int()
        .min(min)
        .max(min + more),
    ),
    fc.tuple(bound, small).map(([min, more]) =>
      z
        .int()
        .gt(min)
        .lt(min + more + 2),
    ),
    fc.tuple(bound, fc.integer({ min: 1, max: 9 })).map(([min, more]) =>
      z
        .number()
        .gt(min / 8)
        .lt((min + more) / 8),
    ),
    fc
      .tuple(bound, fc.integer({ min: 1, max: 30 }))
      .map(([min, step]) => z.number().min(min).multipleOf(step)),
    fc.tuple(bound, fc.integer({ min: 1, max: 30 })).map(([max, step]) => z.int().lte(max).multipleOf(step)),
    fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 }).map((values) => z.enum(values)),
    fc.constantFrom(
      z.boolean(),
      z.null(),
      z.unknown(),
      z.uuid(),
      z.email(),
      z.iso.datetime(),
      z.literal([3, 4]),
    ),
    fc.array(fc.string(), { minLength: 1 }).map((examples) => z.string().meta({ examples })),
  );
  const key = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => !(text in {}));
  const { schema } = fc.letrec<{ schema: z.ZodType; leaf: z.ZodType }>((tie) => ({
    leaf,
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      tie('leaf'),
      fc
        .dictionary(key, tie('schema'), { maxKeys: 4, noNullPrototype: true })
        .map((shape) => z.object(shape)),
      fc.tuple(tie('schema'), small).map(([item, min]) => z.array(item).min(min)),
      fc.tuple(tie('schema'), tie('schema')).map((items) => z.tuple(items)),
      fc.tuple(tie('schema'), tie('schema')).map((branches) => z.union(branches)),
      tie('schema').map((value) => z.record(z.string(), value)),
      tie('schema').map((value) => z.record(z.enum(['a', 'b']), value)),
      tie('schema').map((value) => value.optional()),
      tie('schema').map((value) => value.nullable()),
    ),
  }));

  it('passes that schema', () => {
    fc.assert(
      fc.property(fc.dictionary(key, schema, { maxKeys: 5, noNullPrototype: true }), (shape) => {
        expect(examplePasses(shape)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});
