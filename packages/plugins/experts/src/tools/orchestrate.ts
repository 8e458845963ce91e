import { BASIS_MEANS, bases, capOf, defineRunTool } from '@nexus/plugin-sdk';
import { calledText } from '@nexus/plugin-sdk/evidence';
import { z } from 'zod';
import { efforts } from '../orchestration/effort.ts';
import {
  type Contradiction,
  type OrchestrateOutput,
  orchestrateRun,
} from '../orchestration/orchestrate-run.ts';
import type { ReportedFault } from '../orchestration/show-faults.ts';
import { context as contextField } from './fields.ts';

const step = z.object({
  id: z.string(),
  expert: z.string(),
  task: z.string(),
  status: z.enum(['passed', 'done', 'sent_back', 'failed', 'stopped']).describe('done: nobody reviewed it.'),
  basis: z.enum(bases).describe(BASIS_MEANS),
  output: z.string(),
  references: z.array(z.unknown()),
  missing: z.array(z.string()),
  feedback: z.string().optional().describe('Why it did not pass.'),
  tries: z.int(),
  durationMs: z.number(),
  model: z.string().optional(),
});

const output = z.object({
  summary: z.string(),
  ran: z.string().describe('What was run for it, by the record, whatever it says.'),
  steps: z.array(step),
  experts_consulted: z.array(z.string()),
  recommendations: z.array(z.string()).describe('Each ends with (read) or (believed).'),
  contradictions: z.array(z.unknown()).describe('between, about, holds, because, isSettled.'),
  faults: z
    .array(z.unknown())
    .describe(
      'claim, basis, proof: a test that fails because of it, where one was run; judged: where that speaks against it.',
    ),
  missing: z.array(z.string()),
  effort: z.string().describe('How much was done, and why.'),
  models: z.object({ plan: z.string().optional(), answer: z.string().optional() }),
});

export const orchestrate = defineRunTool({
  name: 'orchestrate',
  title: 'Orchestrate',
  description:
    'Has a team of experts do a task: plans it, runs independent steps side by side, has each reviewed until it passes, answers from what was done. For one kind of work execute_expert is cheaper. They write only what the config allows.',
  input: z.object({
    task: z.string().min(1).max(50_000).describe('What is wanted, with all that must be known.'),
    context: contextField,
    maxIterations: z.int().min(1).max(50).default(10).describe('Turns of experts at most.'),
    effort: z
      .enum(efforts)
      .default('auto')
      .describe('one: one expert alone; team: planned and reviewed; auto: by the task.'),
    timeout: z
      .int()
      .min(1_000)
      .max(3_600_000)
      .optional()
      .describe('Milliseconds until it fails; what is done is kept.'),
  }),
  aliases: { prompt: 'task', goal: 'task' },
  output,
  text: orchestrateText,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  isConduit: true,
  needsModel: true,
  budget: 'pipeline',
  kind: orchestrateRun,
  needs: { model: { category: 'reasoning' } },
  cap: ({ options }) => capOf(options),
  prepare({ task, context = {}, maxIterations, effort, timeout }) {
    return { input: { task, context, maxIterations, effort }, title: task, timeoutMs: timeout };
  },
  answer(output) {
    const {
      summary,
      steps,
      recommendations,
      contradictions,
      faults = [],
      missing,
      effort,
      models,
    } = sinceEarlier(output);
    return {
      summary,
      ran: ranText(steps, faults),
      steps: steps.map(({ title, references, missing: lacking, ...rest }) => ({
        ...rest,
        task: title,
        references: [...references],
        missing: [...lacking],
      })),
      experts_consulted: [...new Set(steps.map(({ expert }) => expert))],
      recommendations: recommendations.map(({ text, basis }) => `${text} (${basis})`),
      contradictions: [...contradictions],
      faults: [...faults],
      missing: [...missing],
      effort,
      models,
    };
  },
});

/** What experts called beside reading, and tests that were run to show faults. */
function ranText(steps: OrchestrateOutput['steps'], faults: readonly ReportedFault[]): string {
  const called = steps.flatMap(({ references }) =>
    references.map(({ tool, isError }) => ({ name: tool, isError })),
  );
  const tested = faults.filter(({ proof }) => proof !== undefined && proof.verdict !== 'not_run');
  if (tested.length === 0) return calledText(called);
  const count = `${tested.length} of ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`;
  return `To show ${count}, somebody was to write a test, which was run as it says there. ${calledText(called)}`;
}

/** What a run of the first version came to had less in it. */
function sinceEarlier({ steps, recommendations, ...output }: OrchestrateOutput): OrchestrateOutput {
  const recommended: readonly (OrchestrateOutput['recommendations'][number] | string)[] = recommendations;
  return {
    ...{ contradictions: [], missing: [], effort: 'As an earlier version of Nexus worked.' },
    ...output,
    steps: steps.map((step) => ({ ...{ basis: 'believed', references: [], missing: [] }, ...step })),
    recommendations: recommended.map((each) =>
      typeof each === 'string' ? { text: each, basis: 'believed' } : each,
    ),
  };
}

/** The answer once and whole, what was done in a line a step; what each step wrote is in the run. */
function orchestrateText(answer: z.output<typeof output>): string {
  const { summary, ran, recommendations, steps, effort } = answer;
  // As this tool answers them.
  const contradictions = answer.contradictions as readonly Contradiction[];
  const said = answer.faults as readonly ReportedFault[];
  const isDenied = ({ judged }: ReportedFault) => judged?.verdict === 'not_real';
  const faults = said.filter((fault) => !isDenied(fault));
  const denied = said.filter(isDenied);
  return [
    summary,
    ran,
    // The answer above was written before anybody tried to show them.
    ...section('Said to be faults, and judged not to be', denied.map(faultText)),
    ...section('Recommendations', recommendations),
    ...section('Faults', faults.map(faultText)),
    ...section('Contradictions', contradictions.map(contradictionText)),
    `## Steps\n\n${steps.map(({ expert, task, status, basis, tries }) => `- ${expert}: ${task}: ${status}, ${basis}${tries > 1 ? `, ${tries} tries` : ''}`).join('\n')}`,
    effort,
  ].join('\n\n');
}

function section(heading: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`## ${heading}\n\n${items.map((each) => `- ${each}`).join('\n')}`];
}

function faultText({ claim, basis, proof, judged }: ReportedFault): string {
  const unanswered = judged?.verdict === 'unanswered' ? ' That was not answered.' : '';
  return [
    `${claim} (${basis})`,
    ...(proof === undefined ? [] : [proof.why]),
    ...(judged === undefined ? [] : [`Judged anew with that: ${judged.why}${unanswered}`]),
  ].join(' ');
}

function contradictionText({ between, about, holds, because, isSettled }: Contradiction): string {
  const open =
    'Not settled: nothing that whoever wrote the answer opened shows which of them holds, whatever it says.';
  return `${between.join(' and ')}: ${asSentence(about)} ${isSettled ? `${asSentence(holds)} (${because})` : open}`;
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
