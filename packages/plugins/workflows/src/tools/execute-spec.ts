import { type CallContext, capOf, defineRunTool, expertTurn, ToolError, vote } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { devInput } from '../dev-pipeline/dev-input.ts';
import type { SpecWork } from '../spec/bring-about.ts';
import { isMetNow, specReport } from '../spec/report.ts';
import { specRun } from '../spec/spec-run.ts';
import type { WorkflowsState } from '../state.ts';
import { rows } from './fields.ts';

const MAX_SPEC_CHARS = 200_000;

export const executeSpec = defineRunTool({
  name: 'execute_spec',
  title: 'Execute spec',
  description:
    'Makes requirements of a specification, and says of each whether the project meets it, by experts, a judge who sees evidence for and against, and a test. Experts write only what the config allows.',
  input: z.object({
    spec: z.string().min(1).max(MAX_SPEC_CHARS).describe('Markdown.'),
    implement: z.boolean().default(false).describe('What is not met is done as by run_dev_pipeline.'),
    dryRun: z.boolean().default(false).describe('Reads its form alone.'),
  }),
  output: z.object({
    status: z.enum(['met', 'not_met', 'dry_run']),
    summary: z.string().describe('For a person, Markdown.'),
    requirements: rows
      .optional()
      .describe('id, text, lines, status, reason, basis, proof, onBranch, evidence, against, output.'),
    change: z.unknown().optional(),
    dag: z.unknown().optional(),
    leftOut: rows.optional(),
    uncovered: rows.optional(),
    contradictions: rows.optional().describe('requirement, by, words, settled.'),
    items: rows.optional().describe('Of a dry run.'),
  }),
  text: ({ summary }) => summary,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  isConduit: true,
  needsModel: true,
  budget: 'pipeline',
  kind: specRun,
  needs: { model: {}, kinds: [expertTurn] },
  cap: ({ options }) => capOf(options),
  async prepare({ spec, implement, dryRun }, call: CallContext<WorkflowsState>) {
    const { state, signal } = call;
    // Also before a run: what is too much to be read is said before a model is paid.
    const { items, broken, levels, summary } = await state.room.visit({ signal })('structureOf', spec);
    if (!dryRun) {
      const work = implement ? { work: await workOf(call) } : {};
      return { input: { spec, ...work }, title: titleOf(spec), place: implement ? 'machine' : undefined };
    }
    return { answer: { status: 'dry_run' as const, summary, dag: { levels, broken }, items } };
  },
  answer(done) {
    return {
      status: done.requirements.every(isMetNow) ? ('met' as const) : ('not_met' as const),
      summary: specReport(done),
      ...done,
      requirements: [...done.requirements],
      leftOut: [...done.leftOut],
      uncovered: [...done.uncovered],
      contradictions: [...(done.contradictions ?? [])],
    };
  },
});

/**
 * Where what is not met is done, all that can be wrong with it found before a model is asked. What does not pass its
 * checks and its review is not done.
 */
async function workOf(call: CallContext<WorkflowsState>): Promise<SpecWork> {
  if (!call.host.runs.knows(vote)) {
    const text = 'implement needs the plugin "consensus", which is not there. Take it back into the config.';
    throw new ToolError('NEXUS_UNAVAILABLE', text, { detail: { plugins: ['consensus'] } });
  }
  const asked = { workingDir: '.', maxVoteIterations: 3, maxQaIterations: 3 };
  const { task: _, ...work } = await devInput(
    { ...asked, task: 'what is not met', qualityGate: 'blocking' },
    call,
  );
  return work;
}

/** Its first heading, or its first words. */
function titleOf(spec: string): string {
  return spec.replace(/^[#\s]+/, '').split('\n')[0] ?? 'a specification';
}
