import { type Schema, type SchemaDraft, validate } from '@cfworker/json-schema';
import { loadPatterns } from '@nexus/untrusted/patterns';
import {
  type Arbitrary,
  array,
  assert,
  constantFrom,
  integer,
  letrec,
  oneof,
  property,
  record,
} from 'fast-check';
import { expect, it } from 'vitest';
import { schemaCheck } from './schema-check.ts';

const DRAFTS: Readonly<Record<string, SchemaDraft>> = {
  'http://json-schema.org/draft-07/schema#': '7',
  'https://json-schema.org/draft/2019-09/schema': '2019-09',
  'https://json-schema.org/draft/2020-12/schema': '2020-12',
};
const patterns = await loadPatterns();
const keys = constantFrom('a', 'b', 'ab', 'c');

const { value } = letrec((tie) => ({
  value: oneof(
    { maxDepth: 2, depthSize: 'small' },
    constantFrom<unknown>(null, true, false, 0, 1, 1.5, -2, 'a', 'ab', 'ä😀', '', 3),
    array(tie('value'), { maxLength: 4 }),
    array(keys, { maxLength: 3 }).chain((names) =>
      record(Object.fromEntries(names.map((name) => [name, tie('value')]))),
    ),
  ),
}));

/** Schemas of every keyword that both know, a few at a time. */
const { schema } = letrec<{ schema: unknown }>((tie) => {
  const some = tie('schema');
  const named: Arbitrary<unknown> = record({ a: some, b: some }, { requiredKeys: [] });
  const list = array(some, { minLength: 1, maxLength: 3 });
  const size = integer({ min: 0, max: 3 });
  return {
    schema: oneof(
      { maxDepth: 2, depthSize: 'small' },
      constantFrom<unknown>(true, false, {}, { $ref: '#/$defs/one' }, { $ref: '#/$defs/two' }),
      record(
        {
          type: constantFrom('string', 'number', 'integer', 'object', 'array', 'null', ['boolean', 'array']),
          enum: array(value, { minLength: 1, maxLength: 3 }),
          const: value,
          minLength: size,
          maxLength: size,
          pattern: constantFrom('^a', 'b$', '[^a]', '^(a|b)*$'),
          minimum: size,
          maximum: size,
          exclusiveMinimum: size,
          multipleOf: constantFrom(1, 0.5, 2),
          minItems: size,
          maxItems: size,
          uniqueItems: constantFrom(true, false),
          items: some,
          minProperties: size,
          maxProperties: size,
          required: array(keys, { maxLength: 2 }),
          properties: named,
          patternProperties: record({ '^a': some, b$: some }, { requiredKeys: [] }),
          additionalProperties: some,
          propertyNames: some,
          allOf: list,
          anyOf: list,
          oneOf: list,
          not: some,
          if: some,
          // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
          then: some,
          else: some,
          dependentRequired: record({ a: array(keys, { maxLength: 2 }) }, { requiredKeys: [] }),
          dependentSchemas: record({ a: some }, { requiredKeys: [] }),
        },
        { requiredKeys: [] },
      ),
    ),
  };
});

it('comes to the same as another interpreter of JSON Schema', () => {
  const roots = record({
    $schema: constantFrom(...Object.keys(DRAFTS)),
    one: schema,
    two: schema,
    root: schema,
  });
  let valid = 0;
  assert(
    property(roots, value, ({ $schema, one, two, root }, given) => {
      const document = { $schema, allOf: [root], $defs: { one, two } };
      const expected = verdictOf(() => validate(given, document as Schema, DRAFTS[$schema]).valid);
      const checked = schemaCheck(document, { patterns, onUnusable() {} }).check(given);
      if (expected === undefined || (checked.ok && checked.unchecked)) return;
      if (expected) valid += 1;
      expect(checked.ok).toBe(expected);
    }),
    { numRuns: 400 },
  );
  expect(valid).toBeGreaterThan(20);
});

/** Undefined for a reference that leads in a circle. */
function verdictOf(attempt: () => boolean): boolean | undefined {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
