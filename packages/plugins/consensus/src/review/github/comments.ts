import type { VerifiedFinding } from '../review.ts';
import type { ReviewComment } from './github.ts';

/** Verified findings as comments at their lines. */
export function toComments(
  findings: readonly VerifiedFinding[],
  redact: (text: string) => string,
): ReviewComment[] {
  return findings
    .filter(({ verified }) => verified)
    .map(({ file, line, endLine, side, severity, claim }) => ({
      path: file,
      line: endLine,
      ...(line === endLine ? {} : { startLine: line }),
      side: side === 'new' ? 'RIGHT' : 'LEFT',
      body: harmless(redact(`**${severity}**: ${claim}`)),
    }));
}

/** A model's words call nobody, and hide nothing: no mention, no HTML, no reference that closes an issue. */
function harmless(text: string): string {
  return text
    .replace(/@(?=[a-z\d])/gi, '@\u200B')
    .replace(/#(?=\d)/g, '#\u200B')
    .replace(/</g, '&lt;');
}
