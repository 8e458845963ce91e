import {
  type GeneratedObject,
  type ModelUsage,
  type RunContext,
  type ToolError,
  tryModel,
} from '@nexus/plugin-sdk';
import { z } from 'zod';
import { type VoterName, voters } from '../voters/voters.ts';
import type { Ballot, Choice } from './ballot.ts';
import { optionsPrompt, proposalPrompt, voterPrompt } from './prompts.ts';

/** What a model may write for one ballot. */
const MAX_BALLOT_TOKENS = 2_000;

const reasoning = z.string().min(1).max(4_000).describe('Why, in at most five sentences.');
const confidence = z.number().min(0).max(1).describe('How likely the vote is right.');

/** The reasoning comes first, so that the vote follows from it. */
const Sided = z.object({ reasoning, decision: z.enum(['approve', 'reject', 'abstain']), confidence });
const Optioned = (count: number) =>
  z.object({ reasoning, option: z.int().min(0).max(count).describe('0 abstains.'), confidence });

export interface VoterInput {
  readonly voter: VoterName;
  readonly model: string;
  readonly proposal: string;
  readonly options?: readonly string[] | undefined;
  /** Where the voter sits: the options are shown from another one on to each, since models favour the first. */
  readonly seat: number;
  readonly timeoutMs: number;
}

/**
 * Asks one voter once, as one durable step, in a fresh context that holds its view and the proposal.
 * @returns a ballot in error where its model gives none
 */
export async function askVoter(run: RunContext, input: VoterInput): Promise<Ballot> {
  const { voter, model, proposal, options, seat, timeoutMs } = input;
  const asked = {
    system: voterPrompt(voter),
    model,
    category: 'reasoning',
    maxOutputTokens: MAX_BALLOT_TOKENS,
    step: { title: `${voters[voter].title} votes`, input: { voter, model }, timeoutMs },
  } as const;
  const name = `ballot ${voter}`;
  if (options === undefined) {
    const prompt = proposalPrompt(proposal);
    const keep = (answer: Answer<typeof Sided>) => kept(voter, answer.value.decision, answer);
    return ballotOf(input, await tryModel(run, name, { ...asked, schema: Sided, prompt, keep }));
  }
  const shift = seat % options.length;
  const shown = [...options.slice(shift), ...options.slice(0, shift)];
  const prompt = optionsPrompt(proposal, shown);
  const keep = (answer: Answer<ReturnType<typeof Optioned>>) => {
    const { option } = answer.value;
    return kept(voter, option === 0 ? 'abstain' : (option - 1 + shift) % options.length, answer);
  };
  const schema = Optioned(options.length);
  return ballotOf(input, await tryModel(run, name, { ...asked, schema, prompt, keep }));
}

type Answer<Schema extends z.ZodType> = GeneratedObject<z.output<Schema>>;

/** What a ballot's step comes to, on record. */
interface Cast {
  readonly ballot: Ballot;
  readonly usage: ModelUsage;
}

function kept(
  voter: VoterName,
  choice: Choice,
  { model, value, usage }: GeneratedObject<{ readonly confidence: number; readonly reasoning: string }>,
): Cast {
  const { confidence: stated, reasoning: why } = value;
  return { ballot: { voter, model, choice, confidence: stated, reasoning: why }, usage };
}

function ballotOf({ voter, model }: VoterInput, cast: Cast | { readonly failure: ToolError }): Ballot {
  if ('ballot' in cast) return cast.ballot;
  return { voter, model, choice: 'error', confidence: 0, reasoning: cast.failure.message };
}
