import {
  type FileLines,
  type GeneratedObject,
  type RunContext,
  type ToolError,
  tryModel,
} from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { Matter, VoteGround } from '../ground/vote-ground.ts';
import { type VoterName, voters } from '../voters/voters.ts';
import { type Again, carried, takenBackOf, takingBack } from './again.ts';
import type { Ballot, Choice } from './ballot.ts';
import { answersTo, type ObjectionAnswers, objectionField } from './objecting.ts';
import { ALL_VOTERS, againPrompt, firstBallot, optionsPrompt, proposalPrompt } from './prompts.ts';

/** What a model may write for one ballot. */
const MAX_BALLOT_TOKENS = 3_000;
/** Model calls of one voter over code, the ballot included. */
const MAX_READING_STEPS = 5;

const shared = {
  reasoning: z.string().min(1).max(4_000).describe('Why, in at most five sentences.'),
  confidence: z.number().min(0).max(1).describe('How likely the vote is right.'),
  conditions: z
    .array(z.string().min(1).max(500))
    .max(5)
    .default([])
    .describe('What must be so for this vote to stand; each can be checked.'),
  objection: objectionField,
  noStake: z.boolean().default(false).describe('Of an abstention: the matter is none of your view’s.'),
};
/** The reasoning comes first, so that the vote follows from it. */
const { reasoning, ...after } = shared;

const Sided = z.object({ reasoning, decision: z.enum(['approve', 'reject', 'abstain']), ...after });
const Optioned = (count: number) =>
  z.object({ reasoning, option: z.int().min(0).max(count).describe('0 abstains.'), ...after });

export interface VoterInput {
  readonly voter: VoterName;
  readonly model: string;
  readonly matter: Matter;
  readonly ground: VoteGround;
  /** Where the voter sits: the options are shown from another one on to each, since models favour the first. */
  readonly seat: number;
  readonly timeoutMs: number;
  /** The second time that it is asked. */
  readonly again?: Again<Ballot>;
}

export interface Cast {
  readonly ballot: Ballot;
  /** What the voter opened; absent where it had nothing to read with. */
  readonly seen?: readonly FileLines[];
  readonly answers: ObjectionAnswers;
}

/**
 * Asks one voter, in a fresh context that holds the proposal, what it is judged by, and the voter's view. Over code
 * it may read the project first, each call of it a durable step; otherwise it is one.
 * @returns a ballot in error where its model gives none
 */
export async function askVoter(run: RunContext, input: VoterInput): Promise<Cast> {
  const { voter, model, matter, ground, seat, timeoutMs, again } = input;
  const { options } = matter;
  const asked = {
    system: ALL_VOTERS,
    model,
    category: 'reasoning',
    maxOutputTokens: MAX_BALLOT_TOKENS,
    step: {
      title: `${voters[voter].title} votes${again ? ' with the objections before it' : ''}`,
      input: { voter, model },
      timeoutMs,
    },
    ...(ground.isOfCode ? { maxReadingSteps: MAX_READING_STEPS } : {}),
  } as const;
  const name = `${again ? 'again' : 'ballot'} ${voter}`;
  const also = again ? { objections: answersTo(again.objections.length), ...takingBack(again.first) } : {};
  const withObjections = (prompt: string) =>
    again ? `${prompt}\n\n${againPrompt(again.objections, firstBallot(again.first, options))}` : prompt;
  if (options === undefined) {
    const said = await tryModel(run, name, {
      ...asked,
      schema: Sided.extend(also),
      prompt: withObjections(proposalPrompt(voter, matter, ground)),
      keep: (answer) => kept(input, answer.value.decision, answer),
    });
    return castOf(input, said);
  }
  const shift = seat % options.length;
  const shown = [...options.slice(shift), ...options.slice(0, shift)];
  const said = await tryModel(run, name, {
    ...asked,
    schema: Optioned(options.length).extend(also),
    prompt: withObjections(optionsPrompt(voter, { ...matter, options: shown }, ground)),
    keep: (answer) => {
      const { option } = answer.value;
      return kept(input, option === 0 ? 'abstain' : (option - 1 + shift) % options.length, answer);
    },
  });
  return castOf(input, said);
}

/** What both forms of a ballot have. */
type Said = Omit<z.output<typeof Sided>, 'decision'> & {
  readonly objections?: unknown;
  readonly takenBack?: unknown;
};

function kept(
  { voter, again }: VoterInput,
  choice: Choice,
  { model, value, usage, seen }: GeneratedObject<Said>,
) {
  const { confidence, reasoning: why, conditions, objection, noStake } = value;
  const ballot: Ballot = {
    voter,
    model,
    choice: choice === 'abstain' && noStake ? 'no_stake' : choice,
    confidence,
    reasoning: why,
    ...(conditions.length > 0 ? { conditions } : {}),
    ...(again && takenBackOf(again.first, value as TakenBack)),
    ...(objection ? { objection } : {}),
  };
  const answers = (value.objections ?? []) as ObjectionAnswers; // as the schema has it, where there are any
  return { ballot, answers, usage, ...(seen && { seen }) };
}

/** As the schema has it, where the first ballot had conditions. */
interface TakenBack {
  readonly takenBack?: readonly number[];
}

function castOf({ voter, model, again }: VoterInput, said: Cast | { readonly failure: ToolError }): Cast {
  if ('ballot' in said)
    return again ? { ...said, ballot: carried(again.first, said.ballot, again.leading) } : said;
  const failed = { voter, model, choice: 'error', confidence: 0, reasoning: said.failure.message } as const;
  return { ballot: failed, answers: [] };
}
