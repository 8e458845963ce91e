import {
  answerRoom,
  type CallContext,
  defineTool,
  fittingEach,
  jsonLength,
  nearestNames,
  nextPage,
} from '@nexus/plugin-sdk';
import { UNKEPT } from '@nexus/primitives';
import { z } from 'zod';
import { addressOf } from '../catalogue/catalogue.ts';
import type { WorkflowEntry } from '../catalogue/workflow-entry.ts';
import { nextTime, type Schedule } from '../definition/schedule.ts';
import type { WorkflowsState } from '../state.ts';
import { faultRow, inputRow } from './fields.ts';

const MAX_LISTED = 200;
/** Of an answer. */
const ITEM_SHARE = 0.8;
/** What the answer says besides, in characters of JSON. */
const BESIDE = 60;

export const listWorkflows = defineTool({
  name: 'list_workflows',
  title: 'List workflows',
  description:
    'Workflows and graphs, with what each takes: Nexus’s own, and those in .nexus/workflows/. run_graph_workflow runs graphs.',
  input: z.object({
    category: z.string().max(50).optional().describe('Only those of this category.'),
    format: z.enum(['full', 'names']).default('full').describe('names: without descriptions and inputs.'),
    offset: z.int().min(0).max(10_000).default(0).describe('To skip'),
  }),
  output: z.object({
    workflows: z.array(
      z.object({
        name: z.string().describe('To run it by.'),
        kind: z.enum(['workflow', 'graph']),
        category: z.string(),
        version: z.string(),
        source: z.string(),
        file: z.string().optional(),
        digest: z.string().optional(),
        description: z.string().optional(),
        inputs: z.array(inputRow).optional(),
        schedule: z.unknown().optional(),
        whole: z.string().optional().describe('Its description and inputs, which no answer holds.'),
      }),
    ),
    faulty: z
      .array(z.object({ file: z.string(), faults: z.array(faultRow) }))
      .optional()
      .describe('Files that are no workflow yet.'),
    nearest: z.array(z.string()).optional().describe('Categories that there are.'),
    faultyTotal: z.int().optional(),
    count: z.int(),
    nextOffset: z.int().optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ category, format, offset }, context: CallContext<WorkflowsState>) {
    const { state, host, signal, roots } = context;
    const { entries, faulty } = await state.catalogue.list({ signal, roots });
    const found = entries.filter(
      ({ definition }) => category === undefined || definition.category === category,
    );
    const categories = [...new Set(entries.map(({ definition }) => definition.category))];
    const page = found.slice(offset, offset + MAX_LISTED).map((entry) => listed(entry, entries, format));
    const rows = page.map((each) => (hasRoom(each, host.results) ? each : begun(each, UNKEPT)));
    const unread = faulty.slice(offset, offset + MAX_LISTED);
    const most = fittingEach([rows, unread], host.results, BESIDE);
    const workflows = await Promise.all(page.slice(0, most).map((each) => kept(each, context)));
    return {
      workflows,
      ...(faulty.length === 0
        ? {}
        : {
            faulty: unread.slice(0, most).map(({ file, faults }) => ({ file, faults: [...faults] })),
            faultyTotal: faulty.length,
          }),
      ...(found.length > 0 || category === undefined
        ? {}
        : {
            nearest:
              nearestNames(category, categories).length > 0 ? nearestNames(category, categories) : categories,
          }),
      count: found.length,
      ...nextPage(offset, most, Math.max(found.length, faulty.length)),
    };
  },
});

function listed(entry: WorkflowEntry, all: readonly WorkflowEntry[], format: 'full' | 'names') {
  const { definition, origin, file, digest } = entry;
  const { kind, category, version, description, inputs, schedule } = definition;
  return {
    name: addressOf(entry, all),
    kind,
    category,
    version,
    source: origin,
    ...(origin === 'project' ? { file, digest } : {}),
    ...(format === 'full' ? { description, inputs } : {}),
    ...(schedule === undefined ? {} : { schedule: { ...schedule, next: toNext(schedule) } }),
  };
}

type Listed = ReturnType<typeof listed>;

function hasRoom(workflow: Listed, results: CallContext['host']['results']): boolean {
  return 2 * jsonLength(workflow) <= ITEM_SHARE * answerRoom(results);
}

/** One that no answer holds is there without what is long in it, which is kept. */
function begun({ description, inputs, ...brief }: Listed, uri: string) {
  return { ...brief, whole: uri };
}

/** Only what this page names is kept: each is a file, which lasts a day. */
async function kept(workflow: Listed, context: CallContext<WorkflowsState>) {
  const { results } = context.host;
  if (hasRoom(workflow, results)) return workflow;
  const { description, inputs } = workflow;
  const text = JSON.stringify({ description, inputs });
  const { uri } = await results.keep({ text, mimeType: 'application/json' }, context);
  return begun(workflow, uri);
}

function toNext(schedule: Schedule): string | null {
  const next = nextTime(schedule, Date.now());
  return next === undefined ? null : new Date(next).toISOString();
}
