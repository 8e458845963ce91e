import {
  type GeneratedObject,
  isToolError,
  type Ledger,
  type ModelUsage,
  modelCaller,
  type RunContext,
} from '@nexus/plugin-sdk';
import { z } from 'zod';
import { type VoterName, voters } from '../voters/voters.ts';
import type { Ballot, Choice } from './ballot.ts';
import { isOfModel } from './model-failure.ts';
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

export interface Cast {
  readonly ballot: Ballot;
  readonly usage?: ModelUsage;
}

/**
 * Asks one voter once, as one durable step, in a fresh context that holds its view and the proposal.
 * @returns a ballot in error where its model gives none
 */
export async function askVoter(run: RunContext, input: VoterInput): Promise<Cast> {
  const { voter, model, timeoutMs } = input;
  try {
    return await run.step(`ballot ${voter}`, (step) => cast(run, input, step), {
      title: `${voters[voter].title} votes`,
      input: { voter, model },
      timeoutMs,
    });
  } catch (error) {
    if (!isToolError(error) || !isOfModel(error.code)) throw error;
    return { ballot: { voter, model, choice: 'error', confidence: 0, reasoning: error.message } };
  }
}

async function cast(
  run: RunContext,
  { voter, model, proposal, options, seat }: VoterInput,
  { signal, ledger, idempotencyKey }: { signal: AbortSignal; ledger: Ledger; idempotencyKey: string },
): Promise<Cast> {
  const asked = {
    system: voterPrompt(voter),
    model,
    category: 'reasoning',
    maxOutputTokens: MAX_BALLOT_TOKENS,
    ledger,
    idempotencyKey,
  } as const;
  const caller = { ...modelCaller(run), signal };
  const { models } = run.host;
  if (options === undefined) {
    const answer = await models.object({ ...asked, schema: Sided, prompt: proposalPrompt(proposal) }, caller);
    return toCast(voter, answer.value.decision, answer);
  }
  const shift = seat % options.length;
  const shown = [...options.slice(shift), ...options.slice(0, shift)];
  const request = { ...asked, schema: Optioned(options.length), prompt: optionsPrompt(proposal, shown) };
  const answer = await models.object(request, caller);
  const { option } = answer.value;
  return toCast(voter, option === 0 ? 'abstain' : (option - 1 + shift) % options.length, answer);
}

function toCast(
  voter: VoterName,
  choice: Choice,
  answer: GeneratedObject<{ readonly confidence: number; readonly reasoning: string }>,
): Cast {
  const { model, usage, value } = answer;
  const { confidence: stated, reasoning: why } = value;
  return { ballot: { voter, model, choice, confidence: stated, reasoning: why }, usage };
}
