import type { VoteOutput } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import { oneLine } from '../ground/words.ts';
import { voterTitle } from '../voters/voters.ts';

type Told = Omit<VoteOutput, 'summary'>;

const VERDICTS = {
  approved: 'Approved',
  rejected: 'Rejected',
  no_quorum: 'No decision',
} as const satisfies Record<VoteOutput['decision'], string>;

/** A vote for a person, Markdown: the decision, what it rests on, who dissents, and every ballot. */
export function voteSummary(told: Told): string {
  const { decision, option, why, dissent, votes, recordId, conditions, objections } = told;
  return [
    `## ${VERDICTS[decision]}${option === undefined ? '' : `: ${oneLine(option)}`}`,
    why,
    ...boundBy({ conditions, objections, votes }),
    dissent.length === 0
      ? ''
      : `### Dissent\n\n${dissent.map((each) => `- **${voterTitle(each.voter)}** (${saidBy(each)}): ${oneLine(each.reasoning)}`).join('\n')}`,
    `### Ballots\n\n${ballotTable(votes, dissent)}`,
    `### What it is worth\n\n${worth(told)
      .map((line) => `- ${line}`)
      .join('\n')}`,
    `Record \`${recordId}\`. Once you know how it turned out: \`nexus votes outcome ${recordId} right\` (or \`wrong\`).`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** The sections of what binds a decision beside its ballots, as far as there is any. */
export function boundBy({
  conditions,
  objections,
  votes,
}: Pick<Told, 'conditions' | 'objections' | 'votes'>): string[] {
  const lines = [...conditions.map(conditionLine), ...votes.flatMap(takenBackLines)];
  return [
    ...(lines.length === 0 ? [] : [`### Conditions\n\n${lines.join('\n')}`]),
    ...(objections.length === 0 ? [] : [`### Objections\n\n${objections.map(objectionLines).join('\n')}`]),
  ];
}

function conditionLine({ text, by, state, why }: Told['conditions'][number]): string {
  return `- **${state.replace('_', ' ')}**: ${oneLine(text)} (${by.map(voterTitle).join(', ')}). ${oneLine(why)}`;
}

function takenBackLines({ voter, takenBack = [] }: Told['votes'][number]): string[] {
  return takenBack.map((text) => `- **taken back**: ${oneLine(text)} (${voterTitle(voter)}).`);
}

const OUTCOMES = {
  upheld: 'upheld',
  answered: 'answered',
  unanswered: 'answered by nobody',
  heeded: 'not put to the others, since nothing goes through',
  no_evidence: 'without evidence, so it counts as the ballot alone',
} as const satisfies Record<Told['objections'][number]['outcome'], string>;

function objectionLines({ by, claim, evidence, outcome, answers }: Told['objections'][number]): string {
  const said = answers.map(
    ({ voter, holds, because }) =>
      `  - ${voterTitle(voter)}: ${holds ? 'it holds' : 'it does not hold'}: ${oneLine(because)}`,
  );
  return [
    `- **${voterTitle(by)}** (${OUTCOMES[outcome]}): ${oneLine(claim)} Evidence: ${oneLine(evidence)}`,
    ...said,
  ].join('\n');
}

/** What a ballot was cast as, and as what a condition of its own has it counted. */
export function saidBy({
  decision,
  countedAs,
}: {
  readonly decision: string;
  readonly countedAs?: string | undefined;
}): string {
  return countedAs === undefined
    ? decision
    : `${decision}, counted as ${countedAs}: its condition is not met`;
}

/** Every ballot; of those that dissent, the reasons stand above. */
function ballotTable(votes: Told['votes'], dissent: Told['dissent']): string {
  const rows = votes.map(({ voter, model, confidence, reasoning, ...ballot }) => [
    voterTitle(voter),
    `\`${model}\``,
    saidBy(ballot),
    ballot.decision === 'error' ? '' : `${Math.round(confidence * 100)}%`,
    dissent.some((each) => each.voter === voter) ? 'see Dissent' : reasoning,
  ]);
  return [
    '| Voter | Model | Vote | Sure | Why |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row.map((cell) => oneLine(cell).replaceAll('|', '\\|')).join(' | ')} |`),
  ].join('\n');
}

function worth({ panelDiversity, effectiveVotes, weights, leftOut, ground }: Told): string[] {
  const { voters: count, models, vendors } = panelDiversity;
  const one = models === 1 && count > 1 ? ': one model’s view under several roles' : '';
  const { count: effective, basis } = effectiveVotes;
  return [
    `${counted(count, 'ballot')} from ${counted(models, 'distinct model')} of ${counted(vendors, 'vendor')}${one}.`,
    effective === undefined ? basis : `Worth about ${counted(effective, 'independent vote')}. ${basis}`,
    ...(weights === undefined ? [] : [`Weights: ${weights.basis}`]),
    ...notAsked(leftOut),
    ...(ground.references.length === 0 ? [] : [`Shown to the voters: ${ground.references.join(', ')}.`]),
    ...(ground.missing.length === 0
      ? []
      : [`Named in the proposal, and not there: ${ground.missing.join(', ')}.`]),
  ];
}

/** Those who were left out for one reason, in one line. */
export function notAsked(leftOut: Told['leftOut']): string[] {
  const reasons = [...new Set(leftOut.map(({ why }) => why))];
  return reasons.map((why) => {
    const of = leftOut.filter((each) => each.why === why).map(({ voter }) => voterTitle(voter));
    return `${of.join(', ')} ${of.length === 1 ? 'was' : 'were'} not asked. ${why}`;
  });
}
