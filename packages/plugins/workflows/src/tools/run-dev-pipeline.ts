import { type CallContext, capOf, defineRunTool, type Spend, vote } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { DevInput } from '../dev-pipeline/dev-input.ts';
import { devInput } from '../dev-pipeline/dev-input.ts';
import { devStatuses, qualityGates } from '../dev-pipeline/dev-output.ts';
import { devPipelineRun } from '../dev-pipeline/dev-run.ts';
import { devReport, dryRunReport } from '../dev-pipeline/report.ts';
import type { WorkflowsState } from '../state.ts';
import { rows, strategy } from './fields.ts';

export const runDevPipeline = defineRunTool({
  name: 'run_dev_pipeline',
  title: 'Run dev pipeline',
  description:
    'Changes code on a new branch, in a scratch worktree at your last commit: research, plan, vote, implement, check, review. Runs only the config’s workflows.commands, which run what models wrote, with your rights.',
  input: z
    .object({
      task: z.string().min(1).max(50_000).optional().describe('The change, and all to know for it.'),
      planFile: z.string().min(1).max(1_000).optional().describe('A file with a plan, in place of task.'),
      workingDir: z.string().min(1).max(1_000).default('.').describe('In the repository.'),
      maxVoteIterations: z.int().min(1).max(10).default(3).describe('Ballots at most.'),
      maxQaIterations: z.int().min(1).max(10).default(3).describe('Rounds of checks and review.'),
      votingStrategy: strategy,
      qualityGate: z.enum(qualityGates).default('advisory').describe('blocking: what fails is not done.'),
      maxBudgetTokens: z.int().min(1_000).max(1_000_000_000).optional().describe('There the run pauses.'),
      dryRun: z.boolean().default(false).describe('Asks no model, changes nothing.'),
    })
    .meta({ examples: [{ task: 'Accept tabs.' }] }),
  output: z.object({
    status: z.enum([...devStatuses, 'dry_run']),
    summary: z.string().describe('For a person, Markdown.'),
    plan: z.unknown().optional(),
    tasks: rows,
    vote: z.unknown().optional(),
    qa: z.unknown().optional(),
    changes: z.unknown().optional().describe('branch, base, diff, files.'),
    checks: rows,
    effort: z.string().optional(),
  }),
  text: ({ summary }) => summary,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  isConduit: true,
  needsModel: true,
  budget: 'pipeline',
  kind: devPipelineRun,
  needs: { model: {}, kinds: [vote] },
  cap: ({ options }, { maxBudgetTokens }) => budgetOf(capOf(options), maxBudgetTokens),
  async prepare({ maxBudgetTokens: _, dryRun, ...request }, call: CallContext<WorkflowsState>) {
    const input = await devInput(request, call);
    if (!dryRun) return { input, title: request.planFile ?? request.task ?? '' };
    const summary = dryRunReport(input, call.state.options.commands);
    return { answer: { status: 'dry_run' as const, summary, tasks: [], checks: [] } };
  },
  async answer(done, { detail }) {
    const { input } = await detail();
    return {
      ...done,
      tasks: [...done.tasks],
      checks: [...done.checks],
      summary: devReport(input as DevInput, done),
    };
  },
});

/** The caller may set less than the config does, and not more. */
function budgetOf(cap: Partial<Spend> | undefined, tokens: number | undefined): Partial<Spend> | undefined {
  if (tokens === undefined) return cap;
  return { ...cap, tokens: Math.min(tokens, cap?.tokens ?? tokens) };
}
