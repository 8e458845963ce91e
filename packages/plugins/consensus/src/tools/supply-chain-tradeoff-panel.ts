import { type CallContext, defineTool, followRun, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { defaultAxes } from '../panel/axes.ts';
import { type PanelInput, type PanelOutput, panelRun } from '../panel/panel-run.ts';
import type { ConsensusState } from '../state.ts';
import { ballot, panelDiversity, quickMode, resume, usage } from './fields.ts';
import { runFor } from './run-for.ts';

export const supplyChainTradeoffPanel = defineTool({
  name: 'supply_chain_tradeoff_panel',
  title: 'Supply-chain trade-off panel',
  description:
    'Has the voters of consensus_vote judge a proposal about dependencies and builds by up to six axes, blind and once each. Answers verdict and reasons by axis: approve or reject where all agree, else mixed. For what is better by one axis and worse by another; for a plain yes or no, consensus_vote.',
  input: z.object({
    proposal: z
      .string()
      .min(1)
      .max(4_000)
      .optional()
      .describe('What is to be changed, and what it replaces. Needed unless resume is given.'),
    axes: z
      .array(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be short snake_case, such as license_risk'))
      .min(1)
      .max(6)
      .optional()
      .describe(`By what it is judged; by default ${defaultAxes.join(', ')}.`),
    context: z
      .string()
      .max(8_000)
      .optional()
      .describe('Facts that the proposal rests on; reaches voters as data.'),
    quickMode,
    resume,
  }),
  output: z.object({
    runId: z.string(),
    recordId: z.string(),
    decision: z.enum(['approve', 'reject', 'mixed']),
    why: z.string(),
    summary: z.string().describe('All of it for a person, Markdown.'),
    axes: z.array(
      z.object({
        axis: z.string(),
        verdict: z
          .enum(['approve', 'reject', 'undecided'])
          .describe('undecided: too few ballots could be had.'),
        approval: z.number(),
        why: z.string(),
        votes: z.array(ballot),
      }),
    ),
    panelDiversity,
    usage,
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  budget: 'panel',
  isLong: true,
  isResumable: true,
  async call(
    { proposal, axes = [...defaultAxes], context = '', ...asked },
    call: CallContext<ConsensusState>,
  ) {
    const repeated = axes.find((axis, at) => axes.indexOf(axis) !== at);
    if (repeated !== undefined) {
      throw new ToolError('NEXUS_INVALID_ARGUMENTS', `The axis ${repeated} stands there twice.`);
    }
    await call.host.models.route({}, call);
    const input: PanelInput | undefined =
      proposal === undefined ? undefined : { proposal, context, axes, quickMode: asked.quickMode };
    const run = await runFor(call, panelRun, {
      resume: asked.resume,
      input,
      title: proposal ?? '',
      missing: 'State the proposal',
    });
    const { usage: spent, axes: verdicts, ...told } = await followRun<PanelOutput>(run, call);
    const { inputTokens, outputTokens, costUsd } = spent;
    return {
      runId: run.id,
      ...told,
      axes: verdicts.map((each) => ({ ...each, votes: [...each.votes] })),
      panelDiversity: {
        ...told.panelDiversity,
        spread: told.panelDiversity.spread.map((each) => ({ ...each, voters: [...each.voters] })),
      },
      usage: { inputTokens, outputTokens, ...(costUsd === undefined ? {} : { costUsd }) },
    };
  },
});
