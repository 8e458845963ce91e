import { capOf, defineRunTool, ToolError, type VoteOutput } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { voteErrorPolicies } from '../vote/error-policies.ts';
import { votingStrategies } from '../vote/strategies.ts';
import { voteRun } from '../vote/vote-run.ts';
import {
  conditionalBallot,
  effectiveVotes,
  ground,
  leftOut,
  panelDiversity,
  quickMode,
  voters,
} from './fields.ts';

export const consensusVote = defineRunTool({
  name: 'consensus_vote',
  title: 'Consensus vote',
  description:
    'Up to seven voters with a stake vote on a proposal, or between options: blind, over the models there are, with the code it names. Answers decision, checked conditions, objections, every ballot.',
  input: z.object({
    proposal: z
      .string()
      .min(1)
      .max(4_000)
      .describe('What is decided, with the files, lines and `symbols` it is about.'),
    options: z
      .array(z.string().min(1).max(500))
      .min(2)
      .max(10)
      .optional()
      .describe('Vote for one of these instead.'),
    ground: z
      .string()
      .min(1)
      .max(60_000)
      .optional()
      .describe('What it is judged by: a diff, what a command printed.'),
    strategy: z.enum(votingStrategies).default('simple_majority').describe('weighted: by recorded accuracy.'),
    voters,
    quickMode,
    errorPolicy: z
      .enum(voteErrorPolicies)
      .default('reduce_denominator')
      .describe('A voter that failed counts nothing, abstains, or blocks.'),
  }),
  aliases: { question: 'proposal' },
  output: z.object({
    recordId: z.string(),
    decision: z.enum(['approved', 'rejected', 'no_quorum']),
    option: z.string().optional().describe('The one chosen.'),
    approval: z.number().describe('Share that is for it, 0 to 1.'),
    why: z.string(),
    summary: z.string().describe('All of it for a person, Markdown.'),
    votes: z.array(conditionalBallot),
    dissent: z.array(z.unknown()).describe('Those who voted otherwise: voter, decision, reasoning.'),
    conditions: z.array(z.unknown()).describe('text, by, state (met, not_met, unknown), why.'),
    objections: z.array(z.unknown()).describe('by, claim, evidence, outcome, answers.'),
    leftOut,
    ground,
    panelDiversity,
    effectiveVotes,
    weights: z.unknown().optional().describe('Of the strategy weighted: basis, of.'),
  }),
  text: ({ summary }) => summary,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  isConduit: true,
  needsModel: true,
  budget: 'panel',
  kind: voteRun,
  needs: { model: {} },
  cap: ({ options }) => capOf(options),
  prepare({ options, proposal, ground: given, voters: named, ...asked }) {
    assertDistinct(options);
    return {
      input: {
        ...{ ...asked, proposal },
        ...(options === undefined ? {} : { options }),
        ...(given === undefined ? {} : { ground: given }),
        ...(named === undefined ? {} : { voters: named }),
      },
      title: proposal,
    };
  },
  // Votes that ended before there were any have neither.
  answer({ weights, conditions = [], objections = [], leftOut: out = [], ground: shown = NOTHING, ...told }) {
    return {
      ...told,
      votes: told.votes.map(({ conditions: under, takenBack, ...each }) => ({
        ...each,
        ...(under === undefined ? {} : { conditions: [...under] }),
        ...(takenBack === undefined ? {} : { takenBack: [...takenBack] }),
      })),
      conditions: conditions.map((each) => ({ ...each, by: [...each.by] })),
      objections: objections.map((each) => ({ ...each, answers: [...each.answers] })),
      leftOut: [...out],
      ground: { references: [...shown.references], missing: [...shown.missing] },
      dissent: told.dissent.map(({ voter, decision, countedAs, reasoning }) => ({
        ...{ voter, decision, reasoning },
        ...(countedAs === undefined ? {} : { countedAs }),
      })),
      panelDiversity: { ...told.panelDiversity, spread: told.panelDiversity.spread.map(copied) },
      ...(weights === undefined ? {} : { weights: { ...weights, of: [...weights.of] } }),
    };
  },
});

const NOTHING: VoteOutput['ground'] = { references: [], missing: [] };

function copied<Each extends { readonly voters: readonly string[] }>(each: Each) {
  return { ...each, voters: [...each.voters] };
}

function assertDistinct(options: readonly string[] = []): void {
  const repeated = options.find((option, at) => options.indexOf(option) !== at);
  if (repeated === undefined) return;
  throw new ToolError(
    'NEXUS_INVALID_ARGUMENTS',
    `The option ${JSON.stringify(repeated)} stands there twice.`,
    {
      detail: { option: repeated },
    },
  );
}
