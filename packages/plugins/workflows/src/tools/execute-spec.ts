import {
  beginRun,
  type CallContext,
  capOf,
  defineTool,
  expertTurn,
  followRun,
  ToolError,
  takeUpRun,
} from '@nexus/plugin-sdk';
import { z } from 'zod';
import { specReport, structureOf } from '../spec/report.ts';
import type { SpecOutput } from '../spec/spec-output.ts';
import { specRun } from '../spec/spec-run.ts';
import type { WorkflowsState } from '../state.ts';
import { resume, rows, spent } from './fields.ts';

const MAX_SPEC_CHARS = 200_000;

export const executeSpec = defineTool({
  name: 'execute_spec',
  title: 'Execute spec',
  description:
    'Makes requirements of a specification, has experts do them in the order of their needs, and says of each whether it is met, by a judge who sees the result and looked-up evidence alone. Experts write only what the config allows.',
  input: z.object({
    spec: z
      .string()
      .min(1)
      .max(MAX_SPEC_CHARS)
      .optional()
      .describe('Markdown. Needed unless resume is given.'),
    dryRun: z.boolean().default(false).describe('Reads its form alone, without a model; does no work.'),
    resume,
  }),
  output: z.object({
    runId: z.string().optional(),
    status: z.enum(['met', 'not_met', 'dry_run']),
    summary: z.string().describe('For a person, Markdown.'),
    requirements: rows.optional().describe('id, text, lines, status, reason, evidence, output.'),
    dag: z.unknown().optional(),
    leftOut: rows.optional(),
    uncovered: rows.optional(),
    items: rows.optional().describe('Of a dry run.'),
    spent: spent.optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  budget: 'pipeline',
  isLong: true,
  isResumable: true,
  async call({ spec, dryRun, resume: earlier }, call: CallContext<WorkflowsState>) {
    if (dryRun) {
      const { items, broken, levels, summary } = structureOf(needed(spec));
      return {
        status: 'dry_run' as const,
        summary,
        dag: { levels, broken },
        items,
      };
    }
    assertExperts(call);
    await call.host.models.route({}, call);
    const cap = capOf(call.state.options);
    const run =
      earlier === undefined
        ? await beginRun(call, specRun, { input: { spec: needed(spec) }, title: titleOf(needed(spec)), cap })
        : await takeUpRun(earlier, specRun, call, { cap });
    const done = await followRun<SpecOutput>(run, call);
    const { budget } = await call.host.runs.get(run.id);
    return {
      runId: run.id,
      status: done.requirements.every(({ status }) => status === 'met')
        ? ('met' as const)
        : ('not_met' as const),
      summary: specReport(done),
      ...done,
      requirements: [...done.requirements],
      leftOut: [...done.leftOut],
      uncovered: [...done.uncovered],
      spent: { ...budget.spent },
    };
  },
});

function needed(spec: string | undefined): string {
  if (spec !== undefined) return spec;
  throw new ToolError(
    'NEXUS_INVALID_ARGUMENTS',
    'Give the specification as spec, or with resume the runId of a run.',
  );
}

/** Its first heading, or its first words. */
function titleOf(spec: string): string {
  return spec.replace(/^[#\s]+/, '').split('\n')[0] ?? 'a specification';
}

/** A run that waits for experts that nobody here has would wait for ever. */
function assertExperts({ host }: CallContext): void {
  if (host.runs.knows(expertTurn)) return;
  const text =
    'The work is done by experts, and the plugin "experts" is not there. Take it back into the config.';
  throw new ToolError('NEXUS_UNAVAILABLE', text);
}
