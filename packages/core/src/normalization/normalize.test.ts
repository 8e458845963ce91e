import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fixtureTool, READ_ONLY } from '../../test/fixture-tools.ts';
import { JSON_RPC, ProtocolError } from '../errors/protocol-error.ts';
import { normalizeCall } from './normalize.ts';
import { repairArguments } from './repair.ts';

const search = fixtureTool({ input: z.object({ query: z.string(), limit: z.number().optional() }) });
const orchestrate = fixtureTool({ input: z.object({ task: z.string(), name: z.string().optional() }) });
const spawn = fixtureTool({ input: z.object({ command: z.string(), args: z.array(z.string()) }) });
const loose = fixtureTool({ input: z.object({ _meta: z.any(), arguments: z.any(), task: z.any() }) });

const declaresNothing = { fits: () => false, listing: { inputSchema: {} } };
const declaresEverything = { fits: () => true, listing: { inputSchema: { additionalProperties: true } } };

function rejection(params: Record<string, unknown>, shape = declaresNothing): ProtocolError {
  try {
    normalizeCall(params, shape);
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  throw new Error('the call was accepted');
}

describe('rule 1: arguments that are no object', () => {
  it.each([
    ['array', []],
    ['array', [{ query: 'x' }]],
    ['string', 'x'],
    ['string', ''],
    ['number', 0],
    ['boolean', false],
    ['null', null],
  ])('are refused as -32602 naming the type: %s', (type, value) => {
    const error = rejection({ name: 'search', arguments: value, query: 'x', args: { query: 'x' } });
    expect(error).toMatchObject({ code: JSON_RPC.invalidParams, data: { received: type } });
    expect(error.message).toBe(`arguments must be an object, received ${type}`);
  });
});

describe('arguments that are the text of an object', () => {
  const text = '{"query":"x","id":7}';

  it('are refused with that object where the protocol has them', () => {
    const { message } = rejection({ name: 'search', arguments: text });
    expect(message).toBe(
      `arguments must be an object, received string; send the object itself, not its text: ${text}`,
    );
    expect(
      rejection({ arguments: JSON.stringify({ long: 'x'.repeat(10_000) }) }).message.length,
    ).toBeLessThan(700);
  });

  it('are read where a model wrote them into those of another tool, and it is said', () => {
    const shape = { ...declaresNothing, isWritten: true };
    expect(normalizeCall({ arguments: text }, shape)).toEqual({
      arguments: { query: 'x', id: 7 },
      source: 'arguments',
      isFromText: true,
    });
    const other = fc.oneof(
      fc.jsonValue().filter((value) => typeof value !== 'object' || value === null || Array.isArray(value)),
      fc.constant('{"n": 12345678901234567890}'),
      fc.constant('{"query"'),
    );
    fc.assert(
      fc.property(other, (value) => {
        const written = typeof value === 'string' && value.startsWith('{') ? value : JSON.stringify(value);
        expect(rejection({ arguments: written }, shape).message).toBe(
          'arguments must be an object, received string',
        );
      }),
    );
  });
});

describe('rules 2 to 5: where the arguments are', () => {
  it.each([
    [
      'non-empty arguments win over inline and args',
      { arguments: { query: 'a' }, query: 'b', args: { query: 'c' } },
      { query: 'a' },
      'arguments',
      ['query', 'args'],
    ],
    ['empty arguments yield to inline', { arguments: {}, query: 'b' }, { query: 'b' }, 'inline'],
    ['absent arguments yield to inline', { query: 'b', limit: 2 }, { query: 'b', limit: 2 }, 'inline'],
    ['undefined arguments count as absent', { arguments: undefined, query: 'b' }, { query: 'b' }, 'inline'],
    [
      'what a wrapper put beside inline arguments is left out',
      { arguments: {}, query: 'b', sessionId: 1 },
      { query: 'b' },
      'inline',
      ['sessionId'],
    ],
    [
      'what a wrapper put beside no arguments at all is left out',
      { arguments: {}, sessionId: 1 },
      {},
      'arguments',
      ['sessionId'],
    ],
    [
      'what comes near to an argument’s name beside no arguments at all is the caller’s own, misspelt',
      { arguments: {}, qery: 'b', sessionId: 1 },
      { qery: 'b' },
      'inline',
      ['sessionId'],
    ],
    [
      'what is the tool’s beside arguments is passed over and named',
      { arguments: { query: 'a' }, limit: 2 },
      { query: 'a' },
      'arguments',
      ['limit'],
    ],
    [
      'fields of which none is the tool’s are the caller’s own, misspelt, where no arguments stand there',
      { qery: 'b' },
      { qery: 'b' },
      'inline',
    ],
    [
      'args yield to nothing that is beside them',
      { args: { query: 'c' }, sessionId: 1 },
      { query: 'c' },
      'args',
      ['sessionId'],
    ],
    [
      'inline arguments are taken beside args',
      { arguments: {}, args: { query: 'c' }, limit: 5 },
      { query: 'c', limit: 5 },
      'args',
    ],
    [
      'args beside arguments are stated',
      { arguments: { query: 'a' }, args: {} },
      { query: 'a' },
      'arguments',
      ['args'],
    ],
    [
      'args that are no object are one more field of the wrapper beside inline arguments',
      { query: 'b', args: 'x' },
      { query: 'b' },
      'inline',
      ['args'],
    ],
    ['inline wins over args', { query: 'b', args: { query: 'c' } }, { query: 'b' }, 'args', ['args.query']],
    [
      'an inline key that is undefined counts as absent',
      { query: undefined, args: { query: 'c' } },
      { query: 'c' },
      'args',
    ],
    [
      'args serve when nothing else is there',
      { arguments: {}, args: { query: 'c' } },
      { query: 'c' },
      'args',
    ],
    ['empty args are as none', { arguments: {}, args: {} }, {}, 'arguments'],
    ['undefined args are as none', { args: undefined }, {}, 'arguments'],
    ['nothing at all is an empty object', {}, {}, 'arguments'],
    [
      '_meta and a task request are never arguments',
      { _meta: { progressToken: 1 }, task: { ttl: 5 } },
      {},
      'arguments',
    ],
  ] as [string, object, object, string, string[]?][])('%s', (_, params, expected, source, ignored) => {
    const wanted = { arguments: expected, source, ...(ignored && { ignored }) };
    expect(normalizeCall({ name: 'search', ...params }, search)).toEqual(wanted);
  });

  it.each([
    ['array', ['x']],
    ['string', 'x'],
    ['number', 1],
    ['null', null],
  ])('refuses args of type %s as -32602', (type, args) => {
    const error = rejection({ name: 'search', args });
    expect(error.code).toBe(JSON_RPC.invalidParams);
    expect(error.message).toBe(`args must be an object, received ${type}`);
  });

  it.each([{}, { arguments: { query: 'x' } }])('refuses a call with very many fields beside %j', (call) => {
    const fields = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`f${at}`, at]));
    const { message, code } = rejection({ ...fields, ...call });
    expect(code).toBe(JSON_RPC.invalidParams);
    expect(message).toContain('fields stand in the call beside arguments, and at most 1000 are looked at');
  });

  it('does not look at args when arguments were found', () => {
    expect(normalizeCall({ arguments: { query: 'a' }, args: null }, search).source).toBe('arguments');
  });
});

describe('administrative keys as arguments', () => {
  it.each([
    [
      'task as text, when the tool declares it',
      orchestrate,
      { name: 'orchestrate', task: 'do it' },
      { task: 'do it' },
    ],
    ['task as text, when the tool does not declare it', search, { name: 'search', task: 'do it' }, {}],
    ['task as the protocol’s request', orchestrate, { name: 'orchestrate', task: { ttl: 1 } }, {}],
    ['an empty task request', loose, { name: 'loose', task: {} }, {}],
    [
      'args, when the tool declares it and the value fits',
      spawn,
      { name: 'spawn', command: 'ls', args: ['-l'] },
      { command: 'ls', args: ['-l'] },
    ],
    ['args alone, when the tool declares it', spawn, { name: 'spawn', args: ['-l'] }, { args: ['-l'] }],
    [
      'args as the alias, when the value does not fit the declared one',
      spawn,
      { name: 'spawn', args: { command: 'ls', args: [] } },
      { command: 'ls', args: [] },
    ],
    ['_meta, even when declared', loose, { name: 'loose', _meta: { a: 1 } }, {}],
    [
      'name, the address of a direct call, even when declared',
      orchestrate,
      { name: 'orchestrate', arguments: {} },
      {},
    ],
  ])('%s', (_, tool, params, expected) => {
    expect(normalizeCall(params, tool).arguments).toEqual(expected);
  });

  it('takes name as an argument where it does not address the tool, as in a bundle', () => {
    const shape = { ...orchestrate, address: [] };
    expect(normalizeCall({ name: 'nightly', task: 'do it' }, shape).arguments).toEqual({
      name: 'nightly',
      task: 'do it',
    });
    expect(normalizeCall({ name: 'nightly' }, { ...search, address: [] }).arguments).toEqual({});
  });

  it('leaves out the keys that address the tool, whatever they are', () => {
    const shape = { ...search, address: ['tool'] };
    expect(normalizeCall({ tool: 'search', query: 'x' }, shape).arguments).toEqual({ query: 'x' });
  });
});

describe('fields of a wrapper', () => {
  it('beside arguments are kept apart from what the tool has a name for', () => {
    const sent = { name: 'search', arguments: { query: 'a' }, limit: 2, sessionId: 1, task: 'x', _meta: {} };
    expect(normalizeCall(sent, search)).toEqual({
      arguments: { query: 'a' },
      source: 'arguments',
      ignored: ['limit'],
      untold: ['sessionId', 'task'],
    });
  });

  it('do not reach a server’s tool whose schema is open unsaid, and reach one that says so', () => {
    const open = (schema: object) => ({
      fits: () => false,
      listing: { inputSchema: { type: 'object', ...schema } },
    });
    const sent = { name: 't', arguments: {}, sessionId: 's' };
    for (const schema of [{}, { properties: {} }, { properties: { path: {} } }]) {
      expect(normalizeCall(sent, open(schema))).toEqual({
        arguments: {},
        source: 'arguments',
        ignored: ['sessionId'],
      });
    }
    expect(normalizeCall(sent, open({ additionalProperties: true })).arguments).toEqual({ sessionId: 's' });
  });
});

describe('hostile keys', () => {
  it('copies __proto__ and constructor as plain keys and touches no prototype', () => {
    const params = JSON.parse(
      '{"name":"search","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    const { arguments: args } = normalizeCall(params, search);
    expect(Object.keys(args)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
    expect(args).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('polluted');
  });

  it('does not take inherited properties for params', () => {
    const params = Object.create({ arguments: { query: 'inherited' }, args: 'inherited' });
    expect(normalizeCall(params, search).arguments).toEqual({});
  });
});

describe('any params', () => {
  const params = fc.dictionary(
    fc.oneof(
      fc.constantFrom('name', 'arguments', 'args', '_meta', 'task', 'query', '__proto__'),
      fc.string(),
    ),
    fc.jsonValue(),
    { noNullPrototype: true },
  );
  const shapes = fc.constantFrom(declaresNothing, declaresEverything, search, orchestrate, spawn);

  it('leave non-empty arguments untouched, the very same object', () => {
    const nonEmpty = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
    fc.assert(
      fc.property(params, nonEmpty, shapes, (rest, args, shape) => {
        const before = structuredClone(args);
        const normalized = normalizeCall({ ...rest, arguments: args }, shape);
        expect(normalized.arguments).toBe(args);
        expect(normalized.source).toBe('arguments');
        expect(args).toEqual(before);
      }),
    );
  });

  it('raise nothing but a protocol error, and only for arguments or args that are no object', () => {
    fc.assert(
      fc.property(params, shapes, (sent, shape) => {
        try {
          normalizeCall(sent, shape);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
          const wrong = [sent.arguments, sent.args].some(
            (value) =>
              value !== undefined && (typeof value !== 'object' || value === null || Array.isArray(value)),
          );
          expect(wrong).toBe(true);
        }
      }),
    );
  });

  it('yield only keys and values that were sent', () => {
    fc.assert(
      fc.property(params, shapes, (sent, shape) => {
        const outcome = attempt(() => normalizeCall(sent, shape));
        if (!outcome) return;
        const { source: from } = outcome;
        const own = { arguments: sent.arguments, args: sent.args, inline: sent }[from] ?? {};
        // Beside `args` inline arguments are taken, too, and first.
        for (const key of Object.keys(outcome.arguments)) {
          const isBeside = from === 'args' && !Object.hasOwn(own as object, key);
          const source = isBeside || outcome.arguments[key] === sent[key] ? sent : own;
          expect(Object.hasOwn(source as object, key)).toBe(true);
          expect(outcome.arguments[key]).toBe((source as Record<string, unknown>)[key]);
        }
      }),
    );
  });
});

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

it('reads stringified values without a look at the names that the schema does not know', () => {
  let enumerated = 0;
  const args = new Proxy({ other: 'x', limit: 5 } as Record<string, unknown>, {
    ownKeys(target) {
      enumerated += 1;
      return Reflect.ownKeys(target);
    },
  });
  const listing = { inputSchema: { properties: { limit: { type: 'integer' } } } };
  expect(repairArguments(args, { listing, hints: READ_ONLY, fits: () => true })).toBeUndefined();
  expect(enumerated).toBe(0);
});
