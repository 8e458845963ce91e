import { describe, expect, it } from 'vitest';
import { claim } from '../../../test/scripted-review.ts';
import type { ReviewerName } from '../reviewers.ts';
import type { Finding } from './finding.ts';
import { unite } from './unite.ts';

const by = (reviewer: ReviewerName, about: Partial<Finding>): Finding => ({
  ...claim({}),
  line: 3,
  endLine: about.line ?? 3,
  side: 'new',
  isMoved: false,
  foundBy: [{ reviewer, model: 'm:1' }],
  ...about,
});

const INJECTION = 'SQL injection: the name is concatenated into the query without escaping.';

describe('findings', () => {
  it('are one where two reviewers say the same of lines that meet, and name both', () => {
    const united = unite([
      by('correctness', {
        claim:
          'The query is built by string concatenation, so a name with a quote breaks it (SQL injection).',
        severity: 'medium',
      }),
      by('security', { claim: INJECTION, severity: 'critical', line: 2, endLine: 3 }),
    ]);
    expect(united).toMatchObject([
      {
        severity: 'critical',
        line: 2,
        endLine: 3,
        foundBy: [{ reviewer: 'security' }, { reviewer: 'correctness' }],
      },
    ]);
  });

  it.each<[string, Partial<Finding>]>([
    ['of other lines', { line: 9 }],
    ['of another file', { file: 'src/other.ts' }],
    ['of another claim', { claim: 'The promise is not awaited, so an error is lost.' }],
    ['of the other side', { side: 'old' }],
    ['of another kind', { kind: 'does_not_parse' }],
  ])('stay two where one is %s', (_, about) => {
    expect(
      unite([by('security', { claim: INJECTION }), by('correctness', { claim: INJECTION, ...about })]),
    ).toHaveLength(2);
  });

  it('are the same in whatever order reviewers answer', () => {
    const all = [
      by('security', { claim: INJECTION }),
      by('correctness', { claim: INJECTION, line: 4, endLine: 5 }),
      by('failure', { claim: INJECTION, line: 3, endLine: 4 }),
    ];
    const lines = (findings: Finding[]) => unite(findings).map(({ line, endLine }) => [line, endLine]);
    expect(lines(all)).toEqual(lines([...all].reverse()));
  });
});
