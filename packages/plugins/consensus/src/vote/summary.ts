import type { VoteOutput } from '@nexus/plugin-sdk';
import { voterTitle } from '../voters/voters.ts';

type Told = Omit<VoteOutput, 'summary'>;

const VERDICTS = {
  approved: 'Approved',
  rejected: 'Rejected',
  no_quorum: 'No decision',
} as const satisfies Record<VoteOutput['decision'], string>;

/** A vote for a person, Markdown: the decision, what it rests on, who dissents, and every ballot. */
export function voteSummary(told: Told): string {
  const { decision, option, why, dissent, votes, recordId } = told;
  return [
    `## ${VERDICTS[decision]}${option === undefined ? '' : `: ${oneLine(option)}`}`,
    why,
    dissent.length === 0
      ? ''
      : `### Dissent\n\n${dissent.map((each) => `- **${voterTitle(each.voter)}** (${each.decision}): ${oneLine(each.reasoning)}`).join('\n')}`,
    `### Ballots\n\n${ballotTable(votes)}`,
    `### What it is worth\n\n${worth(told)
      .map((line) => `- ${line}`)
      .join('\n')}`,
    `Record \`${recordId}\`. Once you know how it turned out: \`nexus votes outcome ${recordId} right\` (or \`wrong\`).`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function ballotTable(votes: Told['votes']): string {
  const rows = votes.map(({ voter, model, decision, confidence, reasoning }) => [
    voterTitle(voter),
    `\`${model}\``,
    decision,
    decision === 'error' ? '' : `${Math.round(confidence * 100)}%`,
    reasoning,
  ]);
  return [
    '| Voter | Model | Vote | Sure | Why |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row.map((cell) => oneLine(cell).replaceAll('|', '\\|')).join(' | ')} |`),
  ].join('\n');
}

function worth({ panelDiversity, effectiveVotes, weights }: Told): string[] {
  const { voters: count, models, vendors } = panelDiversity;
  const one = models === 1 && count > 1 ? ': one model’s view under several roles' : '';
  const { count: effective, basis } = effectiveVotes;
  return [
    `${plural(count, 'ballot')} from ${plural(models, 'distinct model')} of ${plural(vendors, 'vendor')}${one}.`,
    effective === undefined ? basis : `Worth about ${effective} independent votes. ${basis}`,
    ...(weights === undefined ? [] : [`Weights: ${weights.basis}`]),
  ];
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
