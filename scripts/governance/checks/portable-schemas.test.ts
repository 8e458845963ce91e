import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fixtureSubject, fixtureTool } from '../fixture-subject.ts';
import { portableSchemas } from './portable-schemas.ts';

const check = (shape: z.ZodRawShape) =>
  portableSchemas.run(fixtureSubject({ tools: [fixtureTool({ input: z.object(shape) })] }));

describe('portable-schemas', () => {
  it('finds nothing in a tool whose inputs are described and limited', () => {
    expect(portableSchemas.run(fixtureSubject())).toEqual([]);
  });

  it('accepts limits of every kind', () => {
    const shape = {
      path: z.string().max(500).describe('A path.'),
      site: z.url().describe('An address.'),
      mode: z.enum(['text', 'regex']).describe('How to search.'),
      limit: z.int().min(1).max(100).default(20).describe('How many.'),
      tags: z.array(z.string().max(50)).max(10).default([]).describe('Tags.'),
      either: z
        .union([z.string().max(10), z.int().min(0).max(9)])
        .optional()
        .describe('A name or a number.'),
    };
    expect(check(shape)).toEqual([]);
  });

  it.each([
    ['a property without a description', { text: z.string().max(5) }, 'has no description'],
    ['text of any length', { text: z.string().describe('A text.') }, 'is text of any length'],
    ['a list of any length', { list: z.array(z.boolean()).describe('Flags.') }, 'is a list of any length'],
    [
      'a number without a range',
      { count: z.int().min(1).describe('How many.') },
      'is a number without a range',
    ],
    [
      'an item’s property without a description',
      {
        ops: z
          .array(z.object({ tool: z.string().max(9) }))
          .max(3)
          .describe('Operations.'),
      },
      'has no description',
    ],
    [
      'a value of a record without a limit',
      { with: z.record(z.string(), z.string()).describe('Inputs.') },
      'is text of any length',
    ],
    [
      'a branch of a union without a limit',
      { either: z.union([z.boolean(), z.string()]).describe('A flag or a name.') },
      'is text of any length',
    ],
  ])('finds %s', (_title, shape, what) => {
    expect(check(shape)).toMatchObject([{ what }]);
  });

  it('finds a union at the top, which some hosts reject', () => {
    const input = z.looseObject({}).meta({ anyOf: [{ required: ['a'] }] });
    const found = portableSchemas.run(fixtureSubject({ tools: [fixtureTool({ input })] }));
    expect(found).toMatchObject([{ what: 'has anyOf at the top' }]);
  });

  it('finds a reference out of the document', () => {
    const input = z.object({ a: z.boolean().describe('A.').meta({ $ref: 'https://example.com/a.json' }) });
    const found = portableSchemas.run(fixtureSubject({ tools: [fixtureTool({ input })] }));
    expect(found).toMatchObject([{ what: 'refers to https://example.com/a.json' }]);
  });

  it('finds an example that would not pass', () => {
    const even = z
      .int()
      .min(1)
      .max(9)
      .refine((value) => value > 8)
      .describe('Nine.');
    expect(check({ even })).toMatchObject([{ what: expect.stringContaining('does not pass') }]);
  });

  it('does not pass when there is no tool', () => {
    expect(portableSchemas.run(fixtureSubject({ tools: [] }))).toMatchObject([
      { what: 'looked at no tools' },
    ]);
  });
});
