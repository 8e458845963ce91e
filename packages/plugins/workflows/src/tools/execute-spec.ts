import { type CallContext, capOf, defineRunTool, expertTurn } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { specReport } from '../spec/report.ts';
import { specRun } from '../spec/spec-run.ts';
import type { WorkflowsState } from '../state.ts';
import { rows } from './fields.ts';

const MAX_SPEC_CHARS = 200_000;

export const executeSpec = defineRunTool({
  name: 'execute_spec',
  title: 'Execute spec',
  description:
    'Makes requirements of a specification, has experts do them in the order of their needs, and says of each whether it is met, by a judge who sees evidence for and against. Experts write only what the config allows.',
  input: z.object({
    spec: z.string().min(1).max(MAX_SPEC_CHARS).describe('Markdown.'),
    dryRun: z.boolean().default(false).describe('Reads its form alone, without a model; does no work.'),
  }),
  output: z.object({
    status: z.enum(['met', 'not_met', 'dry_run']),
    summary: z.string().describe('For a person, Markdown.'),
    requirements: rows
      .optional()
      .describe('id, text, lines, status, reason, basis, proof, evidence, against, output.'),
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
  async prepare({ spec, dryRun }, { state, signal }: CallContext<WorkflowsState>) {
    // Also before a run: what is too much to be read is said before a model is paid.
    const { items, broken, levels, summary } = await state.room.visit({ signal })('structureOf', spec);
    if (!dryRun) return { input: { spec }, title: titleOf(spec) };
    return { answer: { status: 'dry_run' as const, summary, dag: { levels, broken }, items } };
  },
  answer(done) {
    return {
      status: done.requirements.every(({ status }) => status === 'met')
        ? ('met' as const)
        : ('not_met' as const),
      summary: specReport(done),
      ...done,
      requirements: [...done.requirements],
      leftOut: [...done.leftOut],
      uncovered: [...done.uncovered],
      contradictions: [...(done.contradictions ?? [])],
    };
  },
});

/** Its first heading, or its first words. */
function titleOf(spec: string): string {
  return spec.replace(/^[#\s]+/, '').split('\n')[0] ?? 'a specification';
}
