import type { ToolListing } from '@nexus/core';
import { describe, expect, it } from 'vitest';
import { seesNoLimits, withLimitsInWords } from './limits-in-words.ts';

const listing = (properties: object): ToolListing => ({
  name: 'search',
  description: 'Searches.',
  inputSchema: { type: 'object', properties, required: ['query'] },
});

function described(schema: object): unknown {
  const { properties } = withLimitsInWords(listing({ it: schema })).inputSchema;
  return (properties as { it: { description?: string } }).it.description;
}

describe('a host whose models see no limits', () => {
  it.each([
    ['codex-mcp-client', true],
    ['Codex', true],
    ['codexical', false],
    ['claude-code', false],
  ])('is one of those that call themselves so: %s is %s', (client, sees) => {
    expect(seesNoLimits(client)).toBe(sees);
  });

  it.each([
    [
      { description: 'Hits.', type: 'integer', minimum: 1, maximum: 20, default: 5 },
      'Hits. (default 5, 1 to 20)',
    ],
    [{ type: 'string', maxLength: 9 }, '(at most 9 characters)'],
    [{ description: 'Which.', type: 'string', default: 'a', enum: ['a'] }, 'Which. (default "a")'],
    [
      {
        description: 'All.',
        type: 'array',
        minItems: 1,
        maxItems: 4,
        items: { type: 'string', maxLength: 200 },
      },
      'All. (1 to 4 items, each of at most 200 characters)',
    ],
    [{ description: 'Part.', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 'Part. (more than 0, less than 1)'],
    [{ description: 'Id.', pattern: '^[a-z]+$' }, 'Id. (matching ^[a-z]+$)'],
    [{ description: 'Id.', pattern: 'a'.repeat(61) }, 'Id.'],
    [{ description: 'Free.', type: 'string' }, 'Free.'],
    [{ type: 'string' }, undefined],
  ])('is told of them in descriptions: %o', (schema, text) => {
    expect(described(schema)).toBe(text);
  });

  it('is told of them inside of objects and lists, too', () => {
    const inner = { type: 'object', properties: { n: { description: 'N.', maximum: 3 } } };
    const { properties } = withLimitsInWords(
      listing({ one: inner, many: { type: 'array', items: inner } }),
    ).inputSchema;
    const said = { n: { description: 'N. (at most 3)', maximum: 3 } };
    expect(properties).toEqual({
      one: { type: 'object', properties: said },
      many: { type: 'array', items: { type: 'object', properties: said } },
    });
  });

  it('gets the tool as it is otherwise, and the same one each time', () => {
    const own = listing({ query: true });
    expect(withLimitsInWords(own)).toEqual(own);
    expect(withLimitsInWords(own)).toBe(withLimitsInWords(own));
  });
});
