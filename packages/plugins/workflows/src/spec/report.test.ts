// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code is quoted
import { expect, it } from 'vitest';
import { specReport } from './report.ts';
import type { RequirementReport } from './spec-output.ts';

it('a quote is shown in its own marks of code', () => {
  const quotes = ['throw new Error(`no ${text}`);', 'plain', '``two``'];
  const requirement: RequirementReport = {
    ...{ id: 'R-1', text: 'It throws.', quote: 'It throws.', lines: { from: 1, to: 1 }, role: 'code' },
    ...{ dependsOn: [], status: 'met', reason: 'So.', basis: 'read', restsOn: [], against: [] },
    evidence: quotes.map((quote) => ({ file: 'a.ts', line: 1, quote, isVerified: true })),
  };
  const text = specReport({
    ...{ requirements: [requirement], dag: { levels: [], broken: [] } },
    ...{ leftOut: [], uncovered: [], contradictions: [] },
  });
  expect(text).toContain('`` throw new Error(`no ${text}`); `` (found there)');
  expect(text).toContain('`plain` (found there)');
  expect(text).toContain('``` ``two`` ``` (found there)');
});

const told = (about: Partial<RequirementReport>) => {
  const requirement: RequirementReport = {
    ...{ id: 'R-1', text: 'It throws.', quote: 'It throws.', lines: { from: 1, to: 1 }, role: 'code' },
    ...{ dependsOn: [], status: 'met', reason: 'So.', basis: 'read', restsOn: [], against: [], evidence: [] },
    ...about,
  };
  return specReport({
    ...{ requirements: [requirement], dag: { levels: [], broken: [] } },
    ...{ leftOut: [], uncovered: [], contradictions: [] },
  });
};
const place = { file: 'a.ts', line: 1, quote: 'throw it', isVerified: true };

it('what speaks against a requirement stands under a heading of its own, and no place twice', () => {
  const output = 'Met. It does.\n\n## Evidence\n- a.ts:1: throw it\n\n## Against\n- b.ts:2: keep it\n';
  const against = [{ ...place, file: 'b.ts', line: 2, quote: 'keep it' }];
  const text = told({ output, evidence: [place], against });
  expect(text).toContain(
    'Evidence:\n\n- E1 `a.ts:1` `throw it` (found there)\n\nAgainst it:\n\n- A1 `b.ts:2`',
  );
  expect(text).toContain('What the expert answered</summary>\n\nMet. It does.\n\n</details>');
  expect(text.match(/throw it/g)).toHaveLength(1);
});

it.each([
  ['none of it was looked up', { output: 'Met.\n\n## Evidence\nnone of it' }],
  [
    'more follows',
    { output: 'Met.\n\n## Evidence\n- a.ts:1: throw it\n## Besides\nMore.', evidence: [place] },
  ],
])('an answer is shown whole where %s', (_, about) => {
  expect(told(about)).toContain(about.output);
});
