import type { Duplicate } from './duplicates.ts';

/** Tells the comment from any other, so that it is written once. */
export const MARK = '<!-- nexus:issue-triage -->';

/** What a report of a fault needs; nothing of the issue’s own words is repeated. */
export function commentFor({
  category,
  body,
  duplicates,
}: {
  readonly category: string;
  readonly body: string;
  readonly duplicates: readonly Duplicate[];
}): string | null {
  const lines: string[] = [];
  const likely = duplicates.filter(({ overlap }) => overlap >= 0.6);
  if (likely.length > 0) {
    lines.push(`This may be the same as ${likely.map(({ number }) => `#${number}`).join(', ')}.`);
  }
  if (category === 'security') {
    lines.push(
      'If this is a vulnerability, please report it in private, as the security policy of the repository says, and not here.',
    );
  }
  if (category === 'bug') {
    const lacks = [
      /```|steps to reproduce|reproduc/i.test(body) ? [] : 'steps that reproduce it',
      /\bv?\d+\.\d+/.test(body) ? [] : 'the version',
      /expected/i.test(body) ? [] : 'what was expected',
    ].flat();
    if (lacks.length > 0) lines.push(`To look into it, it would help to know: ${lacks.join(', ')}.`);
  }
  return lines.length === 0 ? null : [...lines, MARK].join('\n\n');
}
