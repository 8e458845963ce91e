import { describe, expect, it } from 'vitest';
import { hintFaults, mayBundle, mayDestroy, mayRetry } from './hints.ts';

const hints = (readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean) => ({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
  openWorldHint: false,
});
const reader = hints(true, false, true);
const setter = hints(false, false, true);
const adder = hints(false, false, false);
const remover = hints(false, true, true);

describe('faults of hints', () => {
  it.each([reader, setter, adder, remover])('are none for %j', (sound) => {
    expect(hintFaults(sound)).toEqual([]);
  });

  it('name each hint that is missing, and the fix', () => {
    expect(hintFaults(undefined)).toEqual([
      'annotations lack readOnlyHint, destructiveHint, idempotentHint, openWorldHint: state each as true or false',
    ]);
    const { openWorldHint: _, ...three } = reader;
    expect(hintFaults(three)).toEqual(['annotations lack openWorldHint: state each as true or false']);
  });

  it('name both contradictions at once', () => {
    expect(hintFaults(hints(true, true, false))).toEqual([
      expect.stringContaining('readOnlyHint and destructiveHint are both true'),
      expect.stringContaining('idempotentHint false'),
    ]);
  });
});

describe('what the hints decide', () => {
  it.each([
    ['a reader', reader, { retry: true, bundle: true, approval: false }],
    ['a setter', setter, { retry: true, bundle: false, approval: false }],
    ['an adder', adder, { retry: false, bundle: false, approval: false }],
    ['a remover', remover, { retry: true, bundle: false, approval: true }],
  ])('for %s', (_, tool, decided) => {
    expect({ retry: mayRetry(tool), bundle: mayBundle(tool), approval: mayDestroy(tool) }).toEqual(decided);
  });
});
