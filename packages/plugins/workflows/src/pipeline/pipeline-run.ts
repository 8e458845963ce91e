import { defineRun, type RunContext } from '@nexus/plugin-sdk';
import { checkConditions, isBroken } from '../asking/check-conditions.ts';
import type { DevInput } from '../dev-pipeline/dev-input.ts';
import { devPipelineRun } from '../dev-pipeline/dev-run.ts';
import type { WorkflowsState } from '../state.ts';
import type { Choice } from './choose-template.ts';
import type { PipelineOutput, StageReport } from './pipeline-output.ts';
import type { Stage } from './stages.ts';
import { stagesRun } from './stages-run.ts';

export interface PipelineInput {
  readonly task: string;
  readonly choice: Choice;
  readonly stages: readonly Stage[];
  readonly votingStrategy?: string;
  readonly quickMode: boolean;
  /** Hands the work over to a dev pipeline, in the place of the stages. */
  readonly dev?: DevInput;
  readonly notes: readonly string[];
}

export const DEV_TITLE = 'Change the code on a branch';

/** A task by a template: its stages side by side as far as they can be, or a dev pipeline. */
export const pipelineRun = defineRun({
  name: 'workflows.pipeline',
  version: 1,
  async run(input: PipelineInput, run: RunContext<WorkflowsState>): Promise<PipelineOutput> {
    const { task, choice, stages, votingStrategy, quickMode, dev, notes } = input;
    const chosen = {
      template: choice.template,
      why: choice.why,
      scores: choice.scores,
      notes,
    };
    if (dev) {
      const done = await run.child('dev', devPipelineRun, dev, { title: DEV_TITLE });
      const stage: StageReport = {
        id: 'dev',
        title: DEV_TITLE,
        kind: 'dev',
        by: 'dev pipeline',
        status: done.status === 'rejected' || done.status === 'no_quorum' ? done.status : 'done',
        output: `${done.status}: ${done.plan.summary}`,
      };
      return { ...chosen, status: done.status, stages: [stage], dev: done };
    }
    const done = await run.child(
      'stages',
      stagesRun,
      { task, stages, quickMode, ...(votingStrategy === undefined ? {} : { votingStrategy }) },
      { title: `the stages of ${choice.template}` },
    );
    const conditional = done.find(({ conditions }) => conditions !== undefined);
    const isOver = statusOfStages(done) === 'done';
    const { conditions, summary } = await checkConditions(run, {
      proposal: task,
      conditions: isOver ? conditional?.conditions : undefined,
      work: done
        .filter((stage) => stage !== conditional)
        .map(({ title, output }) => `${title}\n\n${output}`)
        .join('\n\n'),
      isBinding: true,
    });
    const checked = done.map((stage) =>
      isOver && stage === conditional ? { ...stage, output: summary ?? stage.output, conditions } : stage,
    );
    return { ...chosen, status: isBroken(conditions) ? 'blocked' : statusOfStages(done), stages: checked };
  },
});

function statusOfStages(stages: readonly StageReport[]): PipelineOutput['status'] {
  const stopped = stages.find(({ status }) => ['rejected', 'no_quorum', 'failed'].includes(status));
  return (stopped?.status as 'rejected' | 'no_quorum' | 'failed' | undefined) ?? 'done';
}
