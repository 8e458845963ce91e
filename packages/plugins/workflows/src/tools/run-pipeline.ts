import { type CallContext, capOf, defineRunTool, expertTurn, isToolError, vote } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { assertChoice } from '../asking/choice-fault.ts';
import { votingStrategy as ofVotes } from '../asking/choices.ts';
import { devInput } from '../dev-pipeline/dev-input.ts';
import { chooseTemplate } from '../pipeline/choose-template.ts';
import { pipelineStatuses } from '../pipeline/pipeline-output.ts';
import { DEV_TITLE, type PipelineInput, pipelineRun } from '../pipeline/pipeline-run.ts';
import { pipelinePlan, pipelineReport, pipelineResult } from '../pipeline/report.ts';
import { pipelineNames } from '../pipeline/stages.ts';
import { about } from '../pipeline/stages-run.ts';
import { pipelineNamed, stagesOf } from '../pipeline/templates.ts';
import type { WorkflowsState } from '../state.ts';
import { rows, strategy, timeoutMs } from './fields.ts';

export const runPipeline = defineRunTool({
  name: 'run_pipeline',
  title: 'Run pipeline',
  description:
    'Does a task by a template of stages, chosen by its words, and says why. dev changes code on a branch where the config has commands for it; the others read, and write answers.',
  input: z.object({
    task: z.string().min(1).max(50_000).describe('What is wanted.'),
    template: z.enum(pipelineNames).optional().describe('Default: by the words of the task.'),
    votingStrategy: strategy,
    quickMode: z.boolean().default(false).describe('Fewer stages, fewer voters.'),
    dryRun: z.boolean().default(false).describe('Only says template and stages; asks no model.'),
    timeoutMs,
  }),
  output: z.object({
    template: z.enum(pipelineNames),
    why: z.string(),
    scores: rows,
    status: z.enum([...pipelineStatuses, 'dry_run']),
    stages: rows.describe('id, title, by, status, output.'),
    notes: z.array(z.string()),
    output: z.string().describe('The result alone; of dev, the branch.'),
    summary: z.string().describe('For a person, Markdown.'),
    dev: z.unknown().optional(),
  }),
  text: ({ summary }) => summary,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  isConduit: true,
  needsModel: true,
  budget: 'pipeline',
  kind: pipelineRun,
  needs: { model: {}, kinds: [expertTurn, vote] },
  cap: ({ options }) => capOf(options),
  async prepare({ dryRun, timeoutMs: limitMs, ...request }, call: CallContext<WorkflowsState>) {
    const input = await pipelineInput(request, call);
    const place = 'dev' in input ? 'machine' : undefined;
    if (!dryRun) return { input, title: request.task, timeoutMs: limitMs, place };
    return {
      answer: { ...planned(input), status: 'dry_run' as const, output: '', summary: pipelinePlan(input) },
    };
  },
  async answer(done, { detail }) {
    const { input } = await detail();
    return {
      ...done,
      scores: [...done.scores],
      stages: [...done.stages],
      notes: [...done.notes],
      output: pipelineResult(done),
      summary: pipelineReport(input as PipelineInput, done),
    };
  },
});

interface Request {
  readonly task: string;
  readonly template?: PipelineInput['choice']['template'] | undefined;
  readonly votingStrategy?: PipelineInput['votingStrategy'] | undefined;
  readonly quickMode: boolean;
}

async function pipelineInput(
  { task, template, votingStrategy, quickMode }: Request,
  call: CallContext<WorkflowsState>,
): Promise<PipelineInput> {
  assertChoice(call.host.runs, ofVotes, votingStrategy);
  const choice = chooseTemplate(task, template);
  const stages = stagesOf(pipelineNamed(choice.template), quickMode);
  const chosen = votingStrategy === undefined ? {} : { votingStrategy };
  const common = { task, choice, stages, quickMode, ...chosen };
  if (choice.template !== 'dev') return { ...common, notes: [] };
  const dev = await branchWork({ task, quickMode, ...chosen }, call);
  return typeof dev === 'string' ? { ...common, notes: [dev] } : { ...common, dev, notes: [] };
}

/** What a dev pipeline is to do, or why there is none. */
async function branchWork(
  request: Pick<PipelineInput, 'task' | 'quickMode' | 'votingStrategy'>,
  call: CallContext<WorkflowsState>,
) {
  const instead = 'So nothing is changed: the experts read, and the change is worked out as a patch.';
  if (Object.keys(call.state.options.commands).length === 0) {
    return `The config has no commands to check a change with (workflows.commands). ${instead}`;
  }
  const limits = { workingDir: '.', maxVoteIterations: 3, maxQaIterations: request.quickMode ? 1 : 3 };
  try {
    return await devInput({ ...request, ...limits, qualityGate: 'advisory' }, call);
  } catch (error) {
    if (!isToolError(error) || error.code !== 'NEXUS_UNAVAILABLE') throw error;
    return `${error.message} ${instead}`;
  }
}

function planned({ choice, stages, notes, dev }: PipelineInput) {
  const one = { id: 'dev', title: DEV_TITLE, kind: 'dev' as const, by: 'dev pipeline' };
  return {
    template: choice.template,
    why: choice.why,
    scores: [...choice.scores],
    notes: [...notes],
    stages: (dev ? [one] : stages.map(about)).map((stage) => ({
      ...stage,
      status: 'planned' as const,
      output: '',
    })),
  };
}
