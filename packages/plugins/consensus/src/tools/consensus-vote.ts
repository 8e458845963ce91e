import { capOf, defineRunTool, ToolError, voteErrorPolicies, votingStrategies } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { voteRun } from '../vote/vote-run.ts';
import { ballot, effectiveVotes, panelDiversity, quickMode } from './fields.ts';

const weight = z.object({
  voter: z.string(),
  model: z.string(),
  right: z.int(),
  wrong: z.int(),
  weight: z.number(),
});

export const consensusVote = defineRunTool({
  name: 'consensus_vote',
  title: 'Consensus vote',
  description:
    'Has a panel of seven voters vote on a proposal, or between options: blind, once each, in fresh contexts, spread over the distinct models there are. Answers the decision with every ballot, the dissent, and how many models and independent votes stand behind it. For what is costly to undo; it finds no facts that the proposal does not state.',
  input: z.object({
    proposal: z
      .string()
      .min(1)
      .max(4_000)
      .describe('What is decided, and all that must be known for it: the voters see nothing else.'),
    options: z
      .array(z.string().min(1).max(500))
      .min(2)
      .max(10)
      .optional()
      .describe('Vote for one of these instead of approving or rejecting the proposal.'),
    strategy: z
      .enum(votingStrategies)
      .default('simple_majority')
      .describe(
        'How much must be for it: more than half; two thirds; all; or more than half of the weight by recorded accuracy. Abstentions are not for it.',
      ),
    quickMode,
    errorPolicy: z
      .enum(voteErrorPolicies)
      .default('reduce_denominator')
      .describe(
        'What a voter whose model failed counts: nothing; as abstaining; or it keeps anything from being decided. More than half in error is never a decision.',
      ),
  }),
  output: z.object({
    recordId: z.string(),
    decision: z.enum(['approved', 'rejected', 'no_quorum']),
    option: z.string().optional().describe('The one chosen.'),
    approval: z.number().describe('Share that is for it, 0 to 1.'),
    why: z.string(),
    summary: z.string().describe('All of it for a person, Markdown.'),
    votes: z.array(ballot),
    dissent: z.array(z.object({ voter: z.string(), decision: z.string(), reasoning: z.string() })),
    panelDiversity,
    effectiveVotes,
    weights: z
      .object({ basis: z.string(), of: z.array(weight) })
      .optional()
      .describe('Of the strategy weighted.'),
  }),
  text: ({ summary }) => summary,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  isConduit: true,
  budget: 'panel',
  kind: voteRun,
  needs: { model: {} },
  cap: ({ options }) => capOf(options),
  prepare({ options, proposal, ...asked }) {
    assertDistinct(options);
    return {
      input: { ...asked, proposal, ...(options === undefined ? {} : { options }) },
      title: proposal,
    };
  },
  answer({ weights, ...told }) {
    return {
      ...told,
      votes: [...told.votes],
      dissent: told.dissent.map(({ voter, decision, reasoning }) => ({ voter, decision, reasoning })),
      panelDiversity: { ...told.panelDiversity, spread: told.panelDiversity.spread.map(copied) },
      ...(weights === undefined ? {} : { weights: { ...weights, of: [...weights.of] } }),
    };
  },
});

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
