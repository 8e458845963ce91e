import { hintFaults } from '@nexus/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toolHints } from './tool-hints.ts';

it('fills in what the protocol says of a tool that says nothing', () => {
  const defaults = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
  expect(toolHints(undefined)).toEqual(defaults);
  expect(toolHints({ title: 'x', destructiveHint: 'no' })).toEqual(defaults);
});

it('takes one that only reads for harmless and repeatable', () => {
  expect(toolHints({ readOnlyHint: true, destructiveHint: true, idempotentHint: false })).toEqual({
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  });
});

it('never contradicts itself', () => {
  const hint = fc.option(fc.oneof(fc.boolean(), fc.string()), { nil: undefined });
  const annotations = fc.record({
    readOnlyHint: hint,
    destructiveHint: hint,
    idempotentHint: hint,
    openWorldHint: hint,
  });
  fc.assert(
    fc.property(annotations, (given) => {
      expect(hintFaults(toolHints(given))).toEqual([]);
    }),
  );
});
