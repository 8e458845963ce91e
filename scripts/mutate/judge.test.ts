import { describe, expect, it } from 'vitest';
import { judge } from './judge.ts';
import type { Survivor } from './survivors.ts';

const survivor = (mutant: string, because: Survivor['because'] = 'harmless'): Survivor => ({
  mutant,
  because,
  reason: 'as a test',
});

describe('judge', () => {
  it('passes a file whose survivors are listed', () => {
    const mutants = { total: 10, killed: 9, hung: 0, survivors: ['a'] };
    expect(judge(mutants, [survivor('a')])).toEqual({ score: 90, faults: [] });
  });

  it('fails on a survivor that is not listed, and on one that is listed and is none', () => {
    const { faults } = judge({ total: 10, killed: 9, hung: 0, survivors: ['a'] }, [survivor('b')]);
    expect(faults).toEqual(['survived, and is not listed: a', 'is listed and did not survive: b']);
  });

  it('wants one entry for each of two survivors that look alike', () => {
    const mutants = { total: 20, killed: 18, hung: 0, survivors: ['a', 'a'] };
    expect(judge(mutants, [survivor('a')]).faults).toEqual(['survived, and is not listed: a']);
  });

  it('fails below nine of ten, whatever is listed', () => {
    const mutants = { total: 10, killed: 8, hung: 0, survivors: ['a', 'b'] };
    expect(judge(mutants, [survivor('a'), survivor('b', 'elsewhere')]).faults).toEqual([
      '80.0% are killed, 90% is the least',
    ]);
  });

  it('does not count what no test can tell from the code', () => {
    const mutants = { total: 10, killed: 8, hung: 0, survivors: ['a', 'b'] };
    expect(judge(mutants, [survivor('a', 'same'), survivor('b', 'same')])).toEqual({
      score: 100,
      faults: [],
    });
  });
});
