import { lookUpNames, type NamesLookedUp, type RunContext, type VoteObjection } from '@nexus/plugin-sdk';
import type { Ballot } from '../ballots/ballot.ts';
import { MIN_WORDS_CHARS, oneLine, standsIn } from '../ground/words.ts';
import type { VoterName } from '../voters/voters.ts';

/** An objection as it was raised, looked up. */
export interface Raised {
  readonly by: VoterName;
  readonly claim: string;
  readonly evidence: string;
  readonly isEvidenced: boolean;
}

/**
 * The objections of ballots, each with its evidence held against the project and against what the voters were given:
 * a place that is there, with words that stand there if it quotes any, or lines of what was given, such as what a
 * command printed. The proposal is no evidence of itself.
 */
export async function raisedIn(
  run: RunContext,
  ballots: readonly Ballot[],
  given: string | undefined,
): Promise<readonly Raised[]> {
  const raised: Raised[] = [];
  for (const { voter, objection } of ballots) {
    if (!objection) continue;
    const { claim, evidence } = objection;
    const named = await lookUpNames(run, `evidence ${voter}`, evidence);
    const isEvidenced = isPlace(evidence, named) || isQuoted(given, evidence);
    raised.push({ by: voter, claim, evidence: named.marked, isEvidenced });
  }
  return raised;
}

function isPlace(evidence: string, { places, missing }: NamesLookedUp): boolean {
  if (places.length === 0 || missing.length > 0) return false;
  const there = oneLine(places.map(({ text }) => text.replace(/^\d+\t/gm, '')).join('\n'));
  const quotes = quotesIn(evidence);
  return quotes.length === 0 || quotes.some((quote) => there.includes(quote));
}

/** What stands between marks of code or quotation marks, as far as it says something. */
function quotesIn(text: string): string[] {
  const between = (mark: string, whole: string) => whole.split(mark).filter((_, at) => at % 2 === 1);
  return [...between('`', text), ...between('"', text.replace(/[“”]/g, '"'))]
    .map((quote) => oneLine(quote.replace(/^[a-z]{0,10}\n/, '')))
    .filter((quote) => quote.length >= MIN_WORDS_CHARS && !/^[\w./@+-]+:\d+(-\d+)?$/.test(quote));
}

function isQuoted(given: string | undefined, evidence: string): boolean {
  if (given === undefined) return false;
  const lines = evidence.split('\n').map((line) => oneLine(line.replaceAll('`', '')).replace(/^[>$] /, ''));
  return lines.some((line) => standsIn(given, line));
}

/** What one voter said of another's objection. */
export interface Answered {
  readonly voter: VoterName;
  readonly by: VoterName;
  readonly holds: boolean;
  readonly because: string;
}

/**
 * What became of each objection: those with evidence by what the others answered, of which more than half must hold
 * it for it to be upheld.
 * @param open those that were put to the others
 */
export function outcomesOf(
  raised: readonly Raised[],
  open: readonly Raised[],
  answered: readonly Answered[],
): readonly VoteObjection[] {
  return raised.map((objection) => {
    const { by, claim, evidence, isEvidenced } = objection;
    const answers = answered
      .filter((answer) => answer.by === by)
      .map(({ voter, holds, because }) => ({ voter, holds, because }));
    const asked = open.includes(objection) ? outcomeOf(answers) : 'heeded';
    return { by, claim, evidence, outcome: isEvidenced ? asked : 'no_evidence', answers };
  });
}

function outcomeOf(answers: VoteObjection['answers']): VoteObjection['outcome'] {
  if (answers.length === 0) return 'unanswered';
  const holding = answers.filter(({ holds }) => holds).length;
  return holding * 2 > answers.length ? 'upheld' : 'answered';
}
