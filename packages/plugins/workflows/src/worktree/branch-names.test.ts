import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { branchNames, isMadeBranch } from './branch-names.ts';

describe('isMadeBranch', () => {
  it.each(['Mend the login', '', '…', '-', 'x'.repeat(100), `${'word '.repeat(30)}`, '7 of 9: ÄÖ/..'])(
    'knows the branches of work with the title %j',
    (title) => {
      const { branch, doneBranch } = branchNames(title, randomUUID());
      expect([branch, doneBranch].map(isMadeBranch)).toEqual([true, true]);
    },
  );

  it.each([
    'nexus/my-own',
    'nexus/12345678',
    'nexus/a/b-12345678',
    'nexus/My-12345678',
    'x/nexus/a-12345678',
  ])('takes %s for somebody’s own', (branch) => expect(isMadeBranch(branch)).toBe(false));
});
