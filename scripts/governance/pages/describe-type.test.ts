import { toWholeInputSchema } from '@nexus/core/definitions';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeType } from './describe-type.ts';

const describeZod = (type: z.ZodType) => {
  const { properties } = toWholeInputSchema(z.object({ it: type })) as { properties: { it: unknown } };
  return describeType(properties.it);
};

describe('describeType', () => {
  it.each([
    [z.string().min(1).max(500), 'text, 1 to 500 characters'],
    [z.string().max(500), 'text, at most 500 characters'],
    [z.url(), 'uri'],
    [z.int().min(0).max(50), 'integer, 0 to 50'],
    [z.number().gt(0).lt(1), 'number, above 0 to below 1'],
    [z.boolean(), 'boolean'],
    [z.enum(['text', 'regex']), '`text`, `regex`'],
    [z.literal(3), '`3`'],
    [z.array(z.string().max(9)).max(20), 'list of text, at most 9 characters, at most 20 items'],
    [z.object({ a: z.boolean() }), 'object'],
    [z.union([z.boolean(), z.array(z.boolean()).min(2)]), 'boolean or list of boolean, at least 2 items'],
    [z.string().max(5).nullable(), 'text, at most 5 characters or null'],
    [z.unknown(), 'any'],
  ])('says of %# in words what it takes', (type, words) => {
    expect(describeZod(type)).toBe(words);
  });
});
