import { capOf, defineRunTool, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { defaultAxes } from '../panel/axes.ts';
import { panelRun } from '../panel/panel-run.ts';
import { ballot, ground, leftOut, panelDiversity, quickMode } from './fields.ts';

export const supplyChainTradeoffPanel = defineRunTool({
  name: 'supply_chain_tradeoff_panel',
  title: 'Supply-chain trade-off panel',
  description:
    'Voters of consensus_vote with a stake judge a proposal about dependencies and builds by up to six axes, blind. Answers verdict and reasons by axis: approve or reject where all agree, else mixed. For plain yes or no, consensus_vote.',
  input: z.object({
    proposal: z.string().min(1).max(4_000).describe('What changes, and what it replaces.'),
    axes: z
      .array(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be short snake_case, such as license_risk'))
      .min(1)
      .max(6)
      .optional()
      .describe(`Default ${defaultAxes.join(', ')}.`),
    context: z
      .string()
      .max(8_000)
      .optional()
      .describe('Facts that the proposal rests on; reaches voters as data.'),
    quickMode,
  }),
  output: z.object({
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
    conditions: z.array(z.unknown()),
    objections: z.array(z.unknown()),
    leftOut,
    ground,
    panelDiversity,
  }),
  text: ({ summary }) => summary,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  isConduit: true,
  needsModel: true,
  budget: 'panel',
  kind: panelRun,
  needs: { model: {} },
  cap: ({ options }) => capOf(options),
  prepare({ proposal, axes = [...defaultAxes], context = '', quickMode: isQuick }) {
    const repeated = axes.find((axis, at) => axes.indexOf(axis) !== at);
    if (repeated !== undefined) {
      throw new ToolError('NEXUS_INVALID_ARGUMENTS', `The axis ${repeated} stands there twice.`);
    }
    return { input: { proposal, context, axes, quickMode: isQuick }, title: proposal };
  },
  // Panels that ended before there were any have none.
  answer({
    axes: verdicts,
    conditions = [],
    objections = [],
    leftOut: out = [],
    ground: shown = { references: [], missing: [] },
    ...told
  }) {
    return {
      ...told,
      conditions: conditions.map((each) => ({ ...each, by: [...each.by] })),
      objections: objections.map((each) => ({ ...each, answers: [...each.answers] })),
      axes: verdicts.map((each) => ({
        ...each,
        votes: each.votes.map(({ conditions: _, takenBack: __, ...vote }) => vote),
      })),
      leftOut: [...out],
      ground: { references: [...shown.references], missing: [...shown.missing] },
      panelDiversity: {
        ...told.panelDiversity,
        spread: told.panelDiversity.spread.map((each) => ({ ...each, voters: [...each.voters] })),
      },
    };
  },
});
