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
