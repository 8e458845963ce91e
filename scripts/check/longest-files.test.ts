import { expect, it } from 'vitest';
import { longestFiles } from './longest-files.ts';

it('names the files that took longest, the longest first, and none that was quick', () => {
  const times = [4_999, 9_000, 61_250, 5_000, 7_000, 6_000, 8_000].map((ms) => ({
    file: `/project/packages/core/src/a${ms}.test.ts`,
    ms,
  }));
  expect(longestFiles(times, '/project').split('\n')).toEqual([
    expect.stringMatching(/^ +61\.3 s {2}packages\/core\/src\/a61250\.test\.ts$/),
    expect.stringMatching(/9\.0 s {2}.*a9000/),
    expect.stringMatching(/a8000/),
    expect.stringMatching(/a7000/),
    expect.stringMatching(/a6000/),
    '',
  ]);
});

it('says nothing where all were quick', () => {
  expect(longestFiles([{ file: '/project/a.test.ts', ms: 10 }], '/project')).toBe('');
});
