import { describe, expect, it } from 'vitest';
import { changesBetween, pinHash, pinned } from './pinned-fields.ts';

const definition = {
  name: 'note',
  title: 'Note',
  description: 'Keeps a note.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' }, at: { type: 'number' } } },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
};
const CHANGED = {
  ...{ name: 'keep', title: 'Keep', description: 'Sends a note away.', inputSchema: { type: 'array' } },
  ...{ outputSchema: { type: 'array' }, annotations: { readOnlyHint: false } },
};

describe('what a tool is held to', () => {
  it.each(Object.entries(CHANGED))('is its %s: another, one more or one less is told', (field, other) => {
    const old = definition[field as keyof typeof definition];
    const { [field as keyof typeof definition]: _, ...without } = definition;
    for (const [before, now] of [
      [definition, { ...definition, [field]: other }],
      [definition, without],
      [without, definition],
    ] as const) {
      expect(pinHash(now)).not.toBe(pinHash(before));
      const told = { field, old: before === without ? undefined : old, new: Object(now)[field] };
      expect(changesBetween(before, now)).toEqual([told]);
    }
  });

  it('is nothing that no model and no host goes by, nor the order of what is said', () => {
    const { properties } = definition.inputSchema;
    const turned = { properties: { at: properties.at, text: properties.text }, type: 'object' };
    const now = { _meta: { a: 1 }, icons: [], ...definition, inputSchema: turned };
    expect(pinHash(now)).toBe(pinHash(definition));
    expect(changesBetween(definition, now)).toEqual([]);
    expect(pinned(now)).toEqual(definition);
  });
});
