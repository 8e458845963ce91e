import { loadPatterns } from '@nexus/untrusted/patterns';
import { describe, expect, it } from 'vitest';
import { schemaCheck } from './schema-check.ts';

const patterns = await loadPatterns();

function checkOf(schema: Readonly<Record<string, unknown>>) {
  const unusable: string[] = [];
  const check = schemaCheck(schema, { patterns, onUnusable: (reason) => unusable.push(reason) });
  return { ...check, unusable };
}

function issuesOf(schema: Readonly<Record<string, unknown>>, args: object) {
  const result = checkOf(schema).check(args);
  return result.ok ? [] : result.issues.map(({ path, message }) => `${path}: ${message}`);
}

describe('arguments that do not fit', () => {
  const schema = {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1 },
      lines: {
        type: 'array',
        items: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      },
      either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      'a/b~c': { type: 'boolean' },
      id: { type: 'string', pattern: '^[0-9a-f]+$' },
    },
    required: ['path'],
    additionalProperties: false,
  };

  it.each([
    [{}, ['path: is missing']],
    [{ path: 1 }, ['path: Instance type "number" is invalid. Expected "string"']],
    [{ path: 'x', lines: [{ n: 1 }, {}] }, ['lines.1.n: is missing']],
    [
      { path: 'x', lines: [{ n: 0.5 }] },
      ['lines.0.n: Instance type "number" is invalid. Expected "integer"'],
    ],
    [{ path: 'x', id: 'z' }, ['id: String does not match pattern ^[0-9a-f]+$']],
    [{ path: 'x', extra: 1 }, ['extra: no such argument']],
    [{ path: 'x', 'a/b~c': 1 }, ['a/b~c: Instance type "number" is invalid. Expected "boolean"']],
    [
      { path: 'x', either: 1 },
      [
        'either: Instance type "number" is invalid. Expected "string"; or Instance type "number" is invalid. Expected "null"',
      ],
    ],
  ])('%j is told of by path', (args, expected) => {
    expect(issuesOf(schema, args)).toEqual(expected);
  });
});

describe('the dialect', () => {
  const tuple = (schema: object) => ({ type: 'object', properties: { list: schema } });

  it.each([
    ['none: 2020-12', tuple({ type: 'array', prefixItems: [{ type: 'string' }], items: false }), ['a', 1]],
    [
      '2019-09',
      {
        $schema: 'https://json-schema.org/draft/2019-09/schema',
        ...tuple({ type: 'array', items: [{ type: 'string' }], additionalItems: false }),
      },
      ['a', 1],
    ],
    [
      'draft 7',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        ...tuple({ type: 'array', items: [{ type: 'string' }], additionalItems: false }),
      },
      ['a', 1],
    ],
    [
      'draft 4',
      {
        $schema: 'http://json-schema.org/draft-04/schema#',
        ...tuple({ type: 'array', items: { type: 'number', minimum: 0, exclusiveMinimum: true } }),
      },
      [0],
    ],
  ])('%s is the schema’s own', (_, schema, list) => {
    expect(issuesOf(schema, { list })).not.toEqual([]);
    expect(issuesOf(schema, { list: [] })).toEqual([]);
  });

  it('asserts no format, which servers read in different ways', () => {
    const schema = { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } };
    expect(issuesOf(schema, { at: '2026-01-01T00:00:00' })).toEqual([]);
    const named = { type: 'object', properties: { format: { enum: ['json'] } } };
    expect(issuesOf(named, { format: 'xml' })).not.toEqual([]);
  });
});

describe('a schema that can’t be used', () => {
  it.each([
    ['a reference to nowhere', { properties: { a: { $ref: '#/$defs/none' } } }, /Unresolved \$ref/],
    ['a reference to another document', { properties: { a: { $ref: 'https://a.example/b' } } }, /Unresolved/],
    ['an enum that is no list', { properties: { a: { enum: 'x' } } }, /no list/],
    ['what is no schema', { properties: { a: 'string' } }, /none/],
  ])('with %s holds nothing back, and is told of once', (_, schema, reason) => {
    const check = checkOf({ type: 'object', ...schema });
    expect(check.check({ a: 'x' })).toEqual({ ok: true, unchecked: expect.stringMatching(reason) });
    expect(check.check({ a: 'y' })).toMatchObject({ ok: true });
    expect(check.fits('a', 'x')).toBe(true);
    expect(check.unusable).toEqual([expect.stringMatching(reason)]);
  });
});

const BOMB_LEVELS = 40;

describe('a schema or a value that would cost too much', () => {
  const doubling = Object.fromEntries(
    Array.from({ length: BOMB_LEVELS }, (_, level) => [
      `l${level}`,
      { allOf: [{ $ref: `#/$defs/l${level + 1}` }, { $ref: `#/$defs/l${level + 1}` }] },
    ]),
  );
  const manyObjects = Array.from({ length: 60_000 }, (_, id) => ({ id, nested: { list: [id, id + 1] } }));
  const evilKeys = Object.fromEntries(
    Array.from({ length: 500 }, (_, at) => [`${'a'.repeat(500)}${at}!`, 1]),
  );
  const deep = Array.from({ length: 5_000 }).reduce<object>((inner) => ({ a: inner }), {});

  it.each([
    ['definitions that double', { $defs: { ...doubling, [`l${BOMB_LEVELS}`]: {} }, $ref: '#/$defs/l0' }, {}],
    ['a reference to itself', { properties: { a: { $ref: '#/properties/a' } } }, { a: 1 }],
    ['unique items by the ten thousand', { properties: { a: { uniqueItems: true } } }, { a: manyObjects }],
    ['a large choice', { properties: { a: { enum: [manyObjects, 1] } } }, { a: [...manyObjects] }],
    [
      'patterns by keys',
      {
        patternProperties: Object.fromEntries(
          Array.from({ length: 200 }, (_, at) => [`(a|b|ab)*c${at}`, true]),
        ),
      },
      evilKeys,
    ],
    [
      'a value nested without end',
      { $ref: '#/$defs/n', $defs: { n: { properties: { a: { $ref: '#/$defs/n' } } } } },
      deep,
    ],
  ])('(%s) is passed on unchecked, and says so', (_, schema, value) => {
    const check = checkOf({ type: 'object', ...schema });
    expect(check.check(value)).toEqual({
      ok: true,
      unchecked: expect.stringMatching(/takes more than|leads more than/),
    });
    expect(check.unusable).toEqual([]);
    check.check(value);
    check.check(value);
    // From then on it is not begun with: many calls would cost as much as one without a bound.
    expect(check.unusable).toHaveLength(1);
    expect(check.check({})).toMatchObject({ ok: true, unchecked: expect.any(String) });
  });

  it('is told from one that costs what its size is worth', () => {
    const schema = { properties: { a: { type: 'array', uniqueItems: true, items: { type: 'integer' } } } };
    const numbers = Array.from({ length: 20_000 }, (_, at) => at);
    expect(checkOf(schema).check({ a: numbers })).toEqual({ ok: true });
    expect(issuesOf(schema, { a: [...numbers, 7] })).toEqual(['a: Duplicate items at indexes 7 and 20000']);
  });

  it('matches what backtracks without end in a moment, and rightly', () => {
    const schema = { properties: { a: { pattern: '^(a+)+$' } } };
    expect(issuesOf(schema, { a: `${'a'.repeat(5_000)}!` })).toEqual([
      'a: String does not match pattern ^(a+)+$',
    ]);
    expect(issuesOf(schema, { a: 'a'.repeat(5_000) })).toEqual([]);
  });

  it.each(['(', '(?!x)y', '(a)\\1'])('leaves out the pattern %s alone, and says which', (pattern) => {
    const check = checkOf({ properties: { a: { type: 'string', pattern } } });
    expect(check.check({ a: 'x' })).toEqual({ ok: true, unchecked: expect.stringContaining('pattern') });
    expect(check.check({ a: 1 })).toMatchObject({ ok: false });
    expect(check.unusable).toEqual([]);
  });
});

describe('whether a value fits a property', () => {
  const { fits } = checkOf({
    type: 'object',
    $defs: { count: { type: 'integer', minimum: 1 } },
    properties: { count: { $ref: '#/$defs/count' }, any: true, task: { type: 'string' } },
  });

  it('is told by the property’s own schema, the root’s definitions in reach', () => {
    expect([fits('count', 1), fits('count', 0), fits('count', '1')]).toEqual([true, false, false]);
    expect([fits('task', 'x'), fits('task', { ttl: 1 })]).toEqual([true, false]);
    expect(fits('any', null)).toBe(true);
  });

  it('is no for what the schema does not declare', () => {
    expect([fits('other', 1), fits('toString', 1)]).toEqual([false, false]);
  });
});

it('leaves the schema that is listed as it was', () => {
  const schema = Object.freeze({
    type: 'object',
    properties: Object.freeze({ a: Object.freeze({ $ref: '#/$defs/a' }) }),
    $defs: {},
  });
  checkOf(schema).check({ a: 1 });
  expect(Reflect.ownKeys(schema.properties.a)).toEqual(['$ref']);
});

describe('what a check looks at', () => {
  /** How often a name of the value was enumerated. */
  function counted<T extends object>(value: T) {
    const work = { names: 0 };
    const proxy = new Proxy(value, {
      ownKeys(target) {
        const keys = Reflect.ownKeys(target);
        work.names += keys.length;
        return keys;
      },
    });
    return { proxy, work };
  }
  const wide = (length = 20_000) =>
    counted(Object.fromEntries(Array.from({ length }, (_, at) => [`name${at}`, 1])));
  const branches = (of: (at: number) => object) => ({
    properties: { x: { anyOf: Array.from({ length: 3_000 }, (_, at) => of(at)) } },
  });

  it('is no name of an object that the schema does not ask for', () => {
    const { proxy, work } = wide();
    const schema = branches((at) => ({ properties: { [`k${at}`]: { const: at } }, required: [`k${at}`] }));
    expect(checkOf(schema).check({ x: proxy })).toMatchObject({ ok: false });
    expect(work.names).toBe(0);
  });

  it.each([
    ['additionalProperties', { additionalProperties: { type: 'string' } }],
    ['additionalProperties that fit', { additionalProperties: true, properties: { a: true } }],
    ['minProperties', { minProperties: 100_000 }],
    ['propertyNames', { propertyNames: true }],
    ['const', { const: { a: 1 } }],
  ])('is paid for by the names of the object: %s', (_, schema) => {
    const { proxy, work } = wide();
    expect(checkOf(branches(() => schema)).check({ x: proxy })).toMatchObject({
      unchecked: expect.stringContaining('takes more than'),
    });
    expect(work.names).toBeLessThanOrEqual(320_000);
  });

  it.each([
    ['patternProperties', { patternProperties: wide().proxy }],
    ['dependentSchemas', { dependentSchemas: wide().proxy }],
  ])('is paid for by the names in the schema: %s', (_, schema) => {
    const x = Array.from({ length: 3_000 }, () => ({}));
    expect(checkOf({ properties: { x: { items: schema } } }).check({ x })).toMatchObject({
      unchecked: expect.stringContaining('takes more than'),
    });
  });

  it('is paid for by what it takes to write values down, that are compared as structures', () => {
    let looked = 0;
    const x = Array.from({ length: 30_000 }, (_, at) => ({
      a: at,
      get b() {
        looked += 1;
        return { c: [at, at + 1] };
      },
    }));
    checkOf({ properties: { x: { uniqueItems: true } } }).check({ x });
    expect(looked).toBeLessThan(10_000);
  });

  it('is shown once it is told, and no more of it than that', () => {
    const { proxy, work } = wide(1_000);
    const schema = branches(() => ({ const: proxy }));
    expect(checkOf(schema).check({ x: 1 })).toMatchObject({ ok: false });
    // Faults that are told are few, and branches are many; the first look is for references.
    expect(work.names).toBeLessThanOrEqual(51 * 1_000);
  });
});
