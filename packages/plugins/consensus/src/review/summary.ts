import { fence } from '@nexus/plugin-sdk';
import { counted, cutMiddle } from '@nexus/primitives';
import { oneLine } from '../ground/words.ts';
import { checkWords, isRedByChange } from './facts/check-change.ts';
import type { ReviewOutput } from './review.ts';

const DECISIONS = {
  approve: 'Approve',
  request_changes: 'Request changes',
  comment: 'Comment',
} as const satisfies Record<ReviewOutput['decision'], string>;

const SHOWN = 20;
/** Of what a check printed that the change makes red. */
const OUTPUT_CHARS = 2_000;

/** A review for a person, Markdown. */
export function reviewSummary(review: Omit<ReviewOutput, 'summary'>): string {
  const { decision, why, findings, dropped, files, skipped, unreviewed, checks, posted } = review;
  return [
    `## ${DECISIONS[decision]}: ${checkedOf(review)}`,
    why,
    section('Checks', checks.map(checkWords)),
    ...checks
      .filter((each) => each.without !== undefined && isRedByChange(each))
      .map(({ name, output }) =>
        fence(`what ${name} printed with the change`, cutMiddle(output, OUTPUT_CHARS)),
      ),
    ...findings.map(
      ({ severity, file, line, claim, evidence, verified, foundBy, basis, proof }) =>
        `### ${severity}: \`${file}:${line}\`${verified ? '' : ' (not verified)'}${basis === undefined ? '' : ` (${basis})`}\n\n${claim}${proof === undefined ? '' : `\n\n${proof.why}`}\n\n*${oneLine(evidence)} Found by ${foundBy.map(({ reviewer, model }) => `${reviewer} (${model})`).join(', ')}.*`,
    ),
    `### Read\n\n${counted(files.length, 'file')}, ${files.filter(({ level }) => level === 'high').length} of them with more reviewers for their risk; ${counted(dropped.length, 'claim')} dropped.`,
    section(
      'Not reviewed: their model failed',
      unreviewed.map(({ files: of, reviewer, reason }) => `${reviewer}, ${of.join(', ')}: ${reason}`),
    ),
    section(
      'Skipped',
      skipped.map(({ file, reason }) => `\`${file}\`: ${reason}`),
    ),
    section(
      'Dropped',
      dropped.map(({ file, line, claim, reason }) => `\`${file}:${line}\` ${claim} — ${reason}`),
    ),
    posted === undefined
      ? ''
      : `Posted: ${counted(posted.count, 'comment')}${posted.url === undefined ? '' : `, ${posted.url}`}.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** What the decision rests on, in a line. */
function checkedOf({
  findings,
  dropped,
  files,
  checks,
  reviewers,
}: Pick<ReviewOutput, 'findings' | 'dropped' | 'files' | 'checks' | 'reviewers'>): string {
  const claims = findings.length + dropped.length;
  const verified = findings.filter((each) => each.verified).length;
  const readers = new Set(reviewers.map(({ reviewer }) => reviewer)).size;
  return [
    readers === 0
      ? 'nothing read'
      : `${counted(files.length, 'file')} read by ${counted(readers, 'reviewer')}`,
    claims === 0 ? 'nothing claimed' : `${verified} of ${counted(claims, 'claim')} verified`,
    checks.length === 0
      ? 'no check run'
      : `${checks.filter(({ status }) => status === 'passed').length} of ${counted(checks.length, 'check')} passed`,
  ].join(', ');
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const more = lines.length > SHOWN ? [`- and ${lines.length - SHOWN} more`] : [];
  return `### ${title}\n\n${[...lines.slice(0, SHOWN).map((line) => `- ${oneLine(line)}`), ...more].join('\n')}`;
}
