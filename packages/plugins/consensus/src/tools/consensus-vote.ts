import {
  type CallContext,
  defineTool,
  followRun,
  ToolError,
  type VoteInput,
  type VoteOutput,
  voteErrorPolicies,
  votingStrategies,
} from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { ConsensusState } from '../state.ts';
import { voteRun } from '../vote/vote-run.ts';
import { ballot, effectiveVotes, panelDiversity, quickMode, resume, usage } from './fields.ts';
import { runFor } from './run-for.ts';

const weight = z.object({
  voter: z.string(),
  model: z.string(),
  right: z.int(),
  wrong: z.int(),
  weight: z.number(),
});

export const consensusVote = defineTool({
  name: 'consensus_vote',
  title: 'Consensus vote',
  description:
    'Has a panel of seven voters vote on a proposal, or between options: blind, once each, in fresh contexts, spread over the distinct models there are. Answers the decision with every ballot, the dissent, and how many models and independent votes stand behind it. For what is costly to undo; it finds no facts that the proposal does not state.',
  input: z.object({
    proposal: z
      .string()
      .min(1)
      .max(4_000)
      .optional()
      .describe(
        'What is decided, and all that must be known for it: the voters see nothing else. Needed unless resume is given.',
      ),
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
    resume,
  }),
  output: z.object({
    runId: z.string(),
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
    usage,
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  budget: 'panel',
  isLong: true,
  isResumable: true,
  async call({ options, resume: runId, proposal, ...asked }, call: CallContext<ConsensusState>) {
    assertDistinct(options);
    await call.host.models.route({}, call);
    const input: VoteInput | undefined =
      proposal === undefined
        ? undefined
        : { ...asked, proposal, ...(options === undefined ? {} : { options }) };
    const run = await runFor(call, voteRun, {
      resume: runId,
      input,
      title: proposal ?? '',
      missing: 'State the proposal',
    });
    const { usage: spent, weights, ...told } = await followRun<VoteOutput>(run, call);
    const { inputTokens, outputTokens, costUsd } = spent;
    return {
      runId: run.id,
      ...told,
      votes: [...told.votes],
      dissent: told.dissent.map(({ voter, decision, reasoning }) => ({ voter, decision, reasoning })),
      panelDiversity: { ...told.panelDiversity, spread: told.panelDiversity.spread.map(copied) },
      ...(weights === undefined ? {} : { weights: { ...weights, of: [...weights.of] } }),
      usage: { inputTokens, outputTokens, ...(costUsd === undefined ? {} : { costUsd }) },
    };
  },
});

function copied(each: VoteOutput['panelDiversity']['spread'][number]) {
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
