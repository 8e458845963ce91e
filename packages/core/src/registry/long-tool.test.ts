import type { AnyTool } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fixtureTool } from '../../test/fixture-tools.ts';
import { exampleArguments } from './example.ts';
import { RegistrationError } from './registration-error.ts';

const long = (tool: Partial<AnyTool> = {}) =>
  fixtureTool({
    name: 'build',
    isLong: true,
    input: z.object({ what: z.string() }),
    output: z.object({ status: z.string(), built: z.array(z.string()) }),
    ...tool,
  });

describe('a long tool', () => {
  it('is listed as one that may be a task, with the arguments that ask for a job', () => {
    const { listing } = long();
    expect(listing.execution).toEqual({ taskSupport: 'optional' });
    expect(listing.inputSchema).toMatchObject({
      required: ['what'],
      additionalProperties: false,
      properties: {
        what: { type: 'string' },
        dispatch: { enum: ['sync', 'async'], default: 'sync' },
        idempotencyKey: { type: 'string', maxLength: 200 },
      },
    });
    expect(exampleArguments(listing.inputSchema)).toEqual({ what: 'text' });
  });

  it('is listed with an output that its own answers fit, and the answer of a job', () => {
    const { outputSchema } = long().listing;
    expect(outputSchema).toMatchObject({
      type: 'object',
      properties: { status: { type: 'string' }, built: { type: 'array' }, jobId: {} },
    });
    expect(outputSchema).not.toHaveProperty('required');
  });

  it('takes both arguments, within their limits', () => {
    const { validate } = long();
    expect(validate({ what: 'x' })).toEqual({ ok: true, value: { what: 'x', dispatch: 'sync' } });
    expect(validate({ what: 'x', dispatch: 'async', idempotencyKey: 'k' })).toMatchObject({ ok: true });
    expect(validate({ what: 'x', dispatch: 'later' })).toMatchObject({ ok: false });
    expect(validate({ what: 'x', idempotencyKey: '' })).toMatchObject({ ok: false });
    expect(validate({ what: 'x', idempotencyKey: 'k'.repeat(201) })).toMatchObject({ ok: false });
  });

  it('keeps the refinements of its own input', () => {
    const input = z.object({ what: z.string() }).refine(({ what }) => what !== 'everything', 'too much');
    expect(long({ input }).validate({ what: 'everything' })).toMatchObject({
      ok: false,
      issues: [{ message: 'too much' }],
    });
  });

  it.each([
    ['dispatch', { input: z.object({ dispatch: z.string() }) }],
    ['idempotencyKey', { input: z.object({ idempotencyKey: z.string() }) }],
    ['jobId', { output: z.object({ jobId: z.string() }) }],
    ['jobStatus', { output: z.object({ jobStatus: z.string() }) }],
  ])('that declares %s itself is refused with the fix', (name, own) => {
    expect(() => long(own)).toThrow(RegistrationError);
    expect(() => long(own)).toThrow(
      new RegExp(`plugin "fixtures", tool "build": isLong adds ${name} by itself; take`),
    );
  });
});

it('any other tool is listed without all that, and may have such arguments of its own', () => {
  const tool = fixtureTool({ input: z.object({ dispatch: z.number(), idempotencyKey: z.string() }) });
  expect(tool.listing).not.toHaveProperty('execution');
  expect(tool.validate({ dispatch: 1, idempotencyKey: 'k' })).toMatchObject({ ok: true });
});
