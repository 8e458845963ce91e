import { expect, it } from 'vitest';
import { typeText } from './type-text.ts';

it.each([
  [{ type: 'string' }, 'string'],
  [{ type: 'integer', minimum: 1 }, 'number'],
  [{ enum: ['open', 'closed', null] }, '"open" | "closed" | null'],
  [{ const: 5 }, '5'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, 'string | string[]'],
  [{ type: 'array', items: { enum: [1, 2] } }, '(1 | 2)[]'],
  [{ type: 'array' }, 'unknown[]'],
  [{ type: 'object' }, 'object'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
  [
    {
      type: 'object',
      properties: { path: { type: 'string' }, limit: { type: 'integer', default: 20 }, 'a-b': {} },
      required: ['path'],
    },
    '{ path: string; limit?: number = 20; "a-b"?: unknown }',
  ],
  [{ allOf: [{ type: 'object', properties: {} }, { type: 'object' }] }, '{} & object'],
  [{ enum: ['x'.repeat(500)] }, 'string'],
  [true, 'unknown'],
  [{ type: { odd: 1 } }, 'unknown'],
])('says %j as a type', (schema, text) => {
  expect(typeText(schema)).toBe(text);
});

it('says how many properties a schema has beside those that are shown', () => {
  const schema = { properties: { a: {} }, description: 'and 39 more properties' };
  expect(typeText(schema)).toBe('{ a?: unknown; /* and 39 more properties */ }');
});
