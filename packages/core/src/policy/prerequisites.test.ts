import { expect, it } from 'vitest';
import { assertPrerequisites } from './prerequisites.ts';

const tool = { name: 'deploy', requires: ['build', 'test'] };

it('names every tool that has not succeeded yet', () => {
  expect(() => assertPrerequisites(tool, new Set(['other']))).toThrow(
    expect.objectContaining({
      code: 'NEXUS_PREREQUISITE',
      message: 'deploy wants build and test to have succeeded first in this session.',
      detail: { missing: ['build', 'test'] },
    }),
  );
  expect(() => assertPrerequisites(tool, new Set(['build']))).toThrow('wants test to');
  expect(() => assertPrerequisites(tool, new Set(['build', 'test']))).not.toThrow();
});
