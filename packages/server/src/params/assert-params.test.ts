import { ClientRequestSchema, LoggingLevelSchema, RequestSchema } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertParams } from './assert-params.ts';
import { LOGGING_LEVELS } from './logging-levels.ts';

const schemas = new Map<string, { safeParse(value: unknown): { readonly success: boolean } }>(
  ClientRequestSchema.options.map((schema) => [schema.shape.method.value, schema]),
);

const clientInfo = { name: 'c', version: '1' };
const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
const complete = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: 'v' } };

/** Params that fit, by method; each is broken at every place of it. */
const fitting: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  initialize: [initialize, { ...initialize, capabilities: { sampling: {}, roots: {} } }],
  ping: [{}, { _meta: { progressToken: 1 } }, { _meta: { progressToken: 'x', 'a/b': [] } }],
  'logging/setLevel': LOGGING_LEVELS.map((level) => ({ level })),
  'resources/list': [{}, { cursor: 'c' }],
  'resources/templates/list': [{ cursor: 'c' }],
  'resources/read': [{ uri: 'a:b' }, { uri: '', _meta: {} }],
  'resources/subscribe': [{ uri: 'a:b' }],
  'resources/unsubscribe': [{ uri: 'a:b' }],
  'prompts/list': [{ cursor: 'c' }],
  'prompts/get': [{ name: 'p' }, { name: 'p', arguments: { a: 'b' } }],
  'completion/complete': [
    complete,
    { ...complete, ref: { type: 'ref/resource', uri: 'a:{b}' } },
    { ...complete, context: { arguments: { a: 'b' } } },
  ],
};

function fits(method: string, params: Record<string, unknown>): boolean {
  try {
    assertParams(method, params);
    return true;
  } catch {
    return false;
  }
}

/** As the SDK judges them. */
const reference = (method: string, params: unknown) =>
  (schemas.get(method) ?? RequestSchema).safeParse({ method, params }).success;

describe('params of a request', () => {
  it('are of the levels that the SDK knows', () => {
    expect(LOGGING_LEVELS).toEqual(LoggingLevelSchema.options);
  });

  const cases = Object.entries(fitting).flatMap(([method, all]) =>
    all.map((params) => [method, params] as const),
  );

  const breakable = cases.filter(([, params]) => places(params).length > 0);

  it.each(cases)('%s fit as the SDK has it: %j', (method, params) => {
    expect(reference(method, params)).toBe(true);
    expect(fits(method, params)).toBe(true);
  });

  it.each(breakable)(
    '%s are judged as by the SDK whatever stands at one of their places: %j',
    (method, params) => {
      const odd = fc.oneof(
        fc.constant(undefined),
        fc.constant(null),
        fc.integer(),
        fc.double({ noInteger: true, noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.string(),
        fc.constant([]),
        fc.constant({}),
        fc.constant({ type: 'ref/prompt' }),
      );
      fc.assert(
        fc.property(fc.constantFrom(...places(params)), odd, (place, value) => {
          const broken = replaced(params, place, value);
          expect(fits(method, broken)).toBe(reference(method, broken));
        }),
        { numRuns: 200 },
      );
    },
  );

  it.each([
    ['logging/setLevel', { level: 'loud' }, 'params.level: expected one of debug, info'],
    ['resources/read', {}, 'params.uri: expected a string, received nothing'],
    ['prompts/get', { name: 'p', arguments: { a: 1 } }, 'params.arguments.a: expected a string'],
    ['made/up', { _meta: { progressToken: {} } }, 'params._meta.progressToken'],
    ['tools/call', { _meta: null }, 'params._meta: expected an object, received null'],
    [
      'resources/read',
      { _meta: null },
      'params._meta: expected an object, received null; params.uri: expected a string, received nothing',
    ],
    ['tools/call', { _meta: { 'io.modelcontextprotocol/related-task': {} } }, 'related-task.taskId'],
  ])('%s of %j are refused naming the place', (method, params, place) => {
    expect(() => assertParams(method, params)).toThrow(
      expect.objectContaining({ code: -32602, message: expect.stringContaining(place) }),
    );
  });
});

type Place = readonly string[];

/** The paths of all members. */
function places(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [[...at, name], ...places(inner, [...at, name])]);
}

function replaced(
  value: Record<string, unknown>,
  [name, ...rest]: Place,
  by: unknown,
): Record<string, unknown> {
  if (name === undefined) return value;
  if (rest.length === 0) {
    const { [name]: _, ...others } = value;
    return by === undefined ? others : { ...others, [name]: by };
  }
  return { ...value, [name]: replaced(value[name] as Record<string, unknown>, rest, by) };
}
