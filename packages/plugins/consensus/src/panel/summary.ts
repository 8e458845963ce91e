import { oneLine } from '../ground/words.ts';
import { boundBy, notAsked, saidBy } from '../vote/summary.ts';
import { voterTitle } from '../voters/voters.ts';
import type { PanelOutput } from './panel-run.ts';

const DECISIONS = { approve: 'Approve', reject: 'Reject', mixed: 'Mixed' } as const satisfies Record<
  PanelOutput['decision'],
  string
>;

/** What a panel came to, for a person, Markdown. */
export function panelSummary({
  decision,
  why,
  axes,
  conditions,
  objections,
  leftOut,
  panelDiversity,
  recordId,
}: Omit<PanelOutput, 'summary'>): string {
  const { voters, models, vendors } = panelDiversity;
  return [
    `## ${DECISIONS[decision]}`,
    why,
    ...axes.map(({ axis, verdict, why: how, votes }) =>
      [
        `### ${axis}: ${verdict}`,
        how,
        votes
          .map((vote) => `- **${voterTitle(vote.voter)}** (${saidBy(vote)}): ${oneLine(vote.reasoning)}`)
          .join('\n'),
      ].join('\n\n'),
    ),
    ...boundBy({ conditions, objections, votes: axes.flatMap(({ votes }) => votes) }),
    ...notAsked(leftOut),
    `${voters} voters over ${models} distinct models of ${vendors} vendors. Record \`${recordId}\`.`,
  ].join('\n\n');
}
