import { isToolError, type ToolError } from '@nexus/plugin-sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fixtureTool } from '../../test/fixture-tools.ts';
import { normalizeCall } from '../normalization/normalize.ts';
import type { RegisteredTool } from './registered-tool.ts';
import { validateCall } from './validate-call.ts';

const input = z.object({
  query: z.string().min(1).describe('The text to look for.'),
  limit: z.number().int().min(1).max(100).optional().describe('At most this many hits.'),
  exact: z.boolean().optional().describe('Whole words only.'),
  globs: z.array(z.string()).optional().describe('Where to look.'),
  filter: z.object({ kind: z.string() }).optional().describe('What to look for.'),
  id: z.union([z.string(), z.number()]).optional().describe('An id.'),
  range: z.number().nullable().optional().describe('A range.'),
});
const search = fixtureTool({ name: 'search', input });

const call = (args: Record<string, unknown>) =>
  validateCall(search, { arguments: args, source: 'arguments' });
const inline = (params: Record<string, unknown>, tool: RegisteredTool = search) =>
  validateCall(tool, normalizeCall({ name: tool.name, arguments: {}, ...params }, tool));

function refusal(work: () => unknown): ToolError {
  try {
    work();
  } catch (error) {
    if (isToolError(error)) return error;
    throw error;
  }
  throw new Error('the call was accepted');
}

describe('a valid call', () => {
  it('passes as it was sent and states no recovery', () => {
    expect(call({ query: 'x', limit: 5 })).toEqual({
      value: { query: 'x', limit: 5 },
      arguments: { query: 'x', limit: 5 },
      recovery: undefined,
    });
  });

  it('is never changed by repair, though its text could be read as JSON', () => {
    fc.assert(
      fc.property(
        fc.record({ query: fc.jsonValue().map((value) => JSON.stringify(value)), id: fc.json() }),
        (args) => {
          expect(call(args)).toEqual({ value: args, arguments: args, recovery: undefined });
        },
      ),
    );
  });
});

describe('repair of stringified values', () => {
  it.each([
    ['a number', { limit: '5' }, { limit: 5 }],
    ['a boolean', { exact: 'true' }, { exact: true }],
    ['an array', { globs: '["a","b"]' }, { globs: ['a', 'b'] }],
    ['an object', { filter: '{"kind":"function"}' }, { filter: { kind: 'function' } }],
    ['a nullable number', { range: '2.5' }, { range: 2.5 }],
    ['several at once', { limit: '5', exact: 'false' }, { limit: 5, exact: false }],
  ])('reads %s and says so', (_, args, repaired) => {
    expect(call({ query: 'x', ...args })).toMatchObject({
      value: { query: 'x', ...repaired },
      recovery: { repaired: Object.keys(args) },
    });
  });

  it.each([
    ['a number out of range', { limit: '500' }],
    ['text that is no JSON', { limit: 'five' }],
    ['an object of the wrong shape', { filter: '{"kind":1}' }],
    ['a value that is nested', { filter: { kind: 'x', extra: '1' }, limit: 'x' }],
    ['text in text', { limit: '"5"' }],
  ])('leaves %s to fail', (_, args) => {
    expect(refusal(() => call({ query: 'x', ...args })).code).toBe('NEXUS_INVALID_ARGUMENTS');
  });

  it('happens only when the call fails without it', () => {
    expect(call({ query: '5', id: '5', limit: '5' }).value).toEqual({ query: '5', id: '5', limit: 5 });
  });

  it('still names what is wrong after a repair that did not suffice, and no longer what it mended', () => {
    const { message } = refusal(() => call({ limit: '5' }));
    expect(message).toContain('- query: is missing. The text to look for.');
    expect(message).not.toContain('- limit');
    expect(message).toContain('Received keys: limit');
  });

  it('touches only declared top-level keys that fail, and only with values that then pass', () => {
    const anyText = fc.oneof(fc.string(), fc.json(), fc.constantFrom('5', 'true', '[]', '{}', 'null'));
    const args = fc.record(
      { query: anyText, limit: anyText, exact: anyText, globs: anyText, filter: anyText },
      { requiredKeys: ['query'] },
    );
    fc.assert(
      fc.property(args, (sent) => {
        const before = structuredClone(sent);
        let valid: ReturnType<typeof call>;
        try {
          valid = call(sent);
        } catch (error) {
          expect(isToolError(error)).toBe(true);
          return;
        } finally {
          expect(sent).toEqual(before);
        }
        const { repaired = [], listed = [] } = valid.recovery ?? {};
        const sentAt = (key: string) => sent[key as keyof typeof sent];
        expect(valid.value).toEqual({
          ...sent,
          ...Object.fromEntries(repaired.map((key) => [key, JSON.parse(String(sentAt(key)))])),
          ...Object.fromEntries(listed.map((key) => [key, [sentAt(key)]])),
        });
        expect(input.strict().safeParse(sent).success).toBe(repaired.length + listed.length === 0);
      }),
      { numRuns: 500 },
    );
  });

  it('names a key called __proto__ as unknown, and touches no prototype', () => {
    const sent = JSON.parse('{"query":"x","limit":"5","__proto__":{"polluted":1}}');
    expect(refusal(() => call(sent)).message).toContain('- __proto__: no such argument');
    expect({}).not.toHaveProperty('polluted');
  });

  it('repairs even a key called __proto__ where a server’s schema declares it', () => {
    const listing = {
      name: 'odd',
      inputSchema: JSON.parse('{"properties":{"__proto__":{"type":"object"}}}'),
    };
    const isObject = (value: unknown) => typeof value === 'object';
    const odd: RegisteredTool = {
      ...search,
      listing,
      fits: (_, value) => isObject(value),
      validate: (args) =>
        Object.values(args).every(isObject) ? { ok: true, value: args } : { ok: false, issues: [] },
    };
    const sent = { arguments: JSON.parse('{"__proto__":"{\\"a\\":1}"}'), source: 'arguments' } as const;
    expect(JSON.stringify(validateCall(odd, sent).value)).toBe('{"__proto__":{"a":1}}');
  });
});

describe('one text for a list', () => {
  it('is taken as a list of one, and it is said', () => {
    expect(call({ query: 'x', globs: 'src/*.ts' })).toMatchObject({
      value: { globs: ['src/*.ts'] },
      arguments: { query: 'x', globs: ['src/*.ts'] },
      recovery: { listed: ['globs'] },
    });
  });

  it.each([
    ['a, b', 'Give a list: ["a, b"] or ["a","b"].'],
    ['src/*.{ts,js}', 'Give a list: ["src/*.{ts,js}"] or ["src/*.{ts","js}"].'],
    ['', 'expected array'],
    ['[1]', 'expected array'],
  ])('is refused where it may be several, with the forms that it may mean: %j', (globs, form) => {
    const { message } = refusal(() => call({ query: 'x', globs }));
    expect(message).toContain(form);
    expect(message.includes('Give a list')).toBe(form.startsWith('Give'));
  });

  it('stays a text where the schema takes one, and is refused where the items are no texts', () => {
    const tool = fixtureTool({
      input: z.object({
        either: z.union([z.string(), z.array(z.string())]).optional(),
        counts: z.array(z.number()).optional(),
        other: z.number().optional(),
      }),
    });
    const sent = (args: Record<string, unknown>) =>
      validateCall(tool, { arguments: args, source: 'arguments' });
    expect(sent({ either: 'a', other: '1' }).value).toEqual({ either: 'a', other: 1 });
    expect(refusal(() => sent({ counts: 'a' })).code).toBe('NEXUS_INVALID_ARGUMENTS');
  });
});

describe('null for an optional argument', () => {
  const sent = (args: Record<string, unknown>, tool: RegisteredTool) =>
    validateCall(tool, { arguments: args, source: 'arguments' });

  it('is left out where the schema has no null, and it is said', () => {
    expect(call({ query: 'x', limit: null, range: null })).toEqual({
      value: { query: 'x', range: null },
      arguments: { query: 'x', range: null },
      recovery: { nulls: ['limit'] },
    });
  });

  it('is refused for an argument that is required', () => {
    const { message } = refusal(() => call({ query: null }));
    expect(message).toContain('- query: ');
    expect(message).not.toContain('Leave it out');
  });

  it('is refused where a call may destroy: without its filter it could destroy more', () => {
    const hints = { ...search.hints, readOnlyHint: false, destructiveHint: true };
    const destroying = { ...search, hints };
    const { message } = refusal(() => sent({ query: 'x', globs: null }, destroying));
    expect(message).toMatch(/- globs: .*Where to look\. Leave it out where it has no value\./);
    expect(sent({ query: 'x', globs: null }, { ...destroying, isConduit: true }).recovery).toEqual({
      nulls: ['globs'],
    });
    const adding = { ...search, hints: { ...hints, destructiveHint: false } };
    expect(sent({ query: 'x', globs: null }, adding).recovery).toEqual({ nulls: ['globs'] });
  });
});

describe('a call that may destroy', () => {
  const destroying: RegisteredTool = {
    ...search,
    hints: { ...search.hints, readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  };
  const made = (params: Record<string, unknown>, tool = destroying) =>
    validateCall(tool, normalizeCall({ name: tool.name, ...params }, tool));

  it.each([
    ['a field beside its arguments', { arguments: { query: 'x' }, limit: 2 }, 'limit'],
    ['a field of no name that it knows', { arguments: { query: 'x' }, filter2: 'y' }, 'filter2'],
    ['a field of a wrapper', { arguments: {}, query: 'x', sessionId: 1 }, 'sessionId'],
    ['args beside its arguments', { arguments: { query: 'x' }, args: { limit: 1 } }, 'args'],
    ['two values for one argument', { query: 'x', args: { query: 'y' } }, 'args.query'],
    ['args that are no object', { query: 'x', args: 'y' }, 'args'],
    ['a task that is none', { arguments: { query: 'x' }, task: 'y' }, 'task'],
    ['null', { arguments: { query: 'x', globs: null } }, 'globs'],
    ['a text for a list', { arguments: { query: 'x', globs: 'a' } }, 'globs'],
  ])('is refused rather than made with less, and another says what was left out: %s', (_, params, path) => {
    expect(refusal(() => made(params)).message).toMatch(new RegExp(`^- ${path}: `, 'm'));
    expect(made(params, search).value).toMatchObject({ query: expect.any(String) });
  });

  it.each([
    [{ arguments: { query: 'x', limit: '5' } }, { query: 'x', limit: 5 }],
    [
      { arguments: {}, query: 'x', limit: 5 },
      { query: 'x', limit: 5 },
    ],
    [
      { query: 'x', args: { limit: 5 } },
      { query: 'x', limit: 5 },
    ],
    [{ arguments: { query: 'x' }, _meta: { progressToken: 1 } }, { query: 'x' }],
  ])('is made where all that was written is in it: %j', (params, value) => {
    expect(made(params).value).toEqual(value);
  });

  it('says what to do, and shows no call with less in its caller’s own values', () => {
    const { message } = refusal(() => made({ arguments: { query: 'x' }, limit: 2 }));
    expect(message).toContain('so it was not called: put it into the arguments');
    expect(message).not.toContain('"x"');
  });
});

describe('inline arguments', () => {
  it('pass and say where they were', () => {
    expect(inline({ query: 'x' })).toMatchObject({ value: { query: 'x' }, recovery: { source: 'inline' } });
  });

  it('leave out what the client’s wrapper put beside them, and say so', () => {
    expect(inline({ query: 'x', serverName: 'nexus' }).recovery).toEqual({
      source: 'inline',
      ignored: ['serverName'],
    });
  });

  it('are all named when the call fails, since a field left out may be the one that is missing', () => {
    const error = refusal(() => inline({ qurey: 'x', limit: 5 }));
    expect(error.message).toContain('- query: is missing. The text to look for.');
    expect(error.message).toContain('- qurey: no such argument; did you mean query?');
    expect(error.message).toContain('Received keys: limit, qurey');
    expect(error.message).not.toMatch(/sub-?op/i);
  });

  it('are the caller’s own misspelt ones when the tool knows none of them', () => {
    expect(refusal(() => inline({ qurey: 'x' })).message).toContain('did you mean query?');
  });

  it('all reach a tool that takes any key', () => {
    const open = fixtureTool({ input: z.looseObject({ query: z.string() }) });
    expect(inline({ query: 'x', more: 1 }, open).value).toEqual({ query: 'x', more: 1 });
  });
});

it('states args as the source of arguments found there', () => {
  expect(inline({ args: { query: 'x' } }).recovery).toEqual({ source: 'args' });
});

describe('arguments that were one text', () => {
  const fromText = (args: Record<string, unknown>) =>
    validateCall(search, { arguments: args, source: 'arguments', isFromText: true }).recovery;

  it('are said to be, before whatever of them was repaired', () => {
    expect(fromText({ query: 'x' })).toEqual({ repaired: ['arguments'] });
    expect(fromText({ query: 'x', limit: '5' })).toEqual({ repaired: ['arguments', 'limit'] });
  });
});

it('states all that was done to a call, and nothing that was not', () => {
  const sent = { arguments: { query: 'x', limit: '5', globs: 'a', exact: null }, source: 'args' } as const;
  expect(validateCall(search, { ...sent, ignored: ['more'], untold: ['serverName'] })).toStrictEqual({
    value: { query: 'x', limit: 5, globs: ['a'] },
    arguments: { query: 'x', limit: 5, globs: ['a'] },
    recovery: { source: 'args', ignored: ['more'], repaired: ['limit'], listed: ['globs'], nulls: ['exact'] },
  });
});

it('refuses to destroy with less also where the rest is repaired, and names all that it received', () => {
  const hints = { ...search.hints, readOnlyHint: false, destructiveHint: true };
  const call = { arguments: { query: 'x', limit: '5' }, source: 'arguments' } as const;
  const lost = { ...call, ignored: ['exact'], untold: ['serverName'] };
  const { message } = refusal(() => validateCall({ ...search, hints }, lost));
  expect(message).toMatch(/^- exact: stands beside/m);
  expect(message).toMatch(/^- serverName: stands beside/m);
  expect(message).toContain('Received keys: exact, serverName, query, limit');
  expect(validateCall({ ...search, hints }, call).value).toEqual({ query: 'x', limit: 5 });
});

it('says of a call that fails how it is meant, in its own values', () => {
  const { message } = refusal(() => call({ query: 'own text', limit: '500' }));
  expect(message).toContain('own text');
  // And of nothing else.
  expect(message.match(/^- .*/gm)).toEqual([expect.stringMatching(/^- limit: /)]);
  const aliased = { ...search, aliases: { text: 'query' } };
  const failed = refusal(() => validateCall(aliased, { arguments: { text: 'x' }, source: 'arguments' }));
  expect(failed.message).toContain('- text: no such argument; did you mean query?');
});
