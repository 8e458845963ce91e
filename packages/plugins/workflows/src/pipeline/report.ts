import { conditionsText } from '../asking/check-conditions.ts';
import type { DevInput } from '../dev-pipeline/dev-input.ts';
import { devReport } from '../dev-pipeline/report.ts';
import type { PipelineOutput } from './pipeline-output.ts';
import type { PipelineInput } from './pipeline-run.ts';

/** What became of a pipeline, for a person: the result first. */
export function pipelineReport({ dev }: Pick<PipelineInput, 'dev'>, output: PipelineOutput): string {
  const { template, why, notes, stages, status } = output;
  const about = [`Template **${template}**. ${why}`, ...notes].join('\n\n');
  if (output.dev && dev)
    return [devReport(dev as DevInput, output.dev), `## Pipeline\n\n${about}`].join('\n\n');
  const shown = resultStage(stages);
  const conditions = stages.flatMap((stage) => stage.conditions ?? []);
  const isShown = status === 'done' || status === 'blocked';
  return [
    HEADLINES[status],
    ...(shown && isShown ? [shown.output] : []),
    ...(conditions.length > 0 ? [conditionsText(conditions)] : []),
    `## Pipeline\n\n${about}`,
    ['| Stage | By | Status |', '| --- | --- | --- |']
      .concat(
        stages.map((stage) => `| ${stage.title} | ${stage.by} | ${stage.status.replaceAll('_', ' ')} |`),
      )
      .join('\n'),
    ...stages
      .filter(({ id }) => !(isShown && id === shown?.id))
      .map(({ title, by, output: text }) => `## ${title} (${by})\n\n${text}`),
  ].join('\n\n');
}

/** The result alone: what the work came to, or the branch that it is on. */
export function pipelineResult({ stages, status, dev }: PipelineOutput): string {
  if (dev) return dev.changes.branch ?? '';
  return status === 'done' ? (resultStage(stages)?.output ?? '') : '';
}

/** The work where there is one, else what was done last. */
function resultStage(stages: PipelineOutput['stages']) {
  const done = stages.filter(({ kind, status }) => kind === 'expert' && isDone(status));
  return done.find(({ id }) => id === 'work') ?? done.at(-1);
}

const isDone = (status: string) => status === 'done' || status === 'stopped';

const HEADLINES: Readonly<Record<PipelineOutput['status'], string>> = {
  done: '# Done',
  rejected: '# Stopped: the plan was voted down',
  no_quorum: '# Stopped: the vote decided nothing',
  failed: '# A stage failed',
  blocked: '# Blocked: a condition of the vote is not met',
  unchanged: '# Nothing was changed',
};

/** What a dry run tells. */
export function pipelinePlan({ choice, stages, notes, dev, quickMode }: PipelineInput): string {
  const lines = dev
    ? ['1. A dev pipeline on a branch of its own: research, plan, vote, implement, check, review, commit.']
    : stages.map(({ title, does, needs }, index) => {
        const by = does.kind === 'expert' ? does.role : 'voters';
        const after = needs.length > 0 ? `, after ${needs.join(', ')}` : '';
        return `${index + 1}. ${title} (${by}${after})`;
      });
  return [
    '# Dry run: no model was asked, and nothing was begun',
    `Template **${choice.template}**${quickMode ? ', quick' : ''}. ${choice.why}`,
    ...notes,
    lines.join('\n'),
  ].join('\n\n');
}
