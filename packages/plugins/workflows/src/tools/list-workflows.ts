import {
  answerRoom,
  type CallContext,
  defineTool,
  fitting,
  fittingEach,
  jsonLength,
  nearestNames,
  nextPage,
} from '@nexus/plugin-sdk';
import { cutEndCounted, UNKEPT } from '@nexus/primitives';
import { z } from 'zod';
import { addressOf } from '../catalogue/catalogue.ts';
import type { WorkflowEntry } from '../catalogue/workflow-entry.ts';
import { nextTime, type Schedule } from '../definition/schedule.ts';
import type { WorkflowsState } from '../state.ts';
import { faultRow, inputRow } from './fields.ts';

const MAX_LISTED = 200;
/** Of an answer, what one workflow has; beside a file that is none, less. */
const ITEM_SHARE = 0.8;
const ITEM_SHARE_BESIDE = 0.5;
/** Of an answer, what one faulty file has. */
const FAULTS_SHARE = 0.4;
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
      .array(
        z.object({
          file: z.string(),
          faults: z.array(faultRow),
          whole: z.string().optional().describe('All its faults, which no answer holds.'),
        }),
      )
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
    const room = (faulty.length === 0 ? ITEM_SHARE : ITEM_SHARE_BESIDE) * answerRoom(host.results);
    const rows = page.map((each) => (hasRoom(each, room) ? each : begun(each, UNKEPT)));
    const unread = faulty.slice(offset, offset + MAX_LISTED);
    const briefly = unread.map((each) => faultsThatFit(each, host.results, UNKEPT));
    const most = fittingEach([rows, briefly], host.results, BESIDE);
    const workflows = await Promise.all(page.slice(0, most).map((each) => kept(each, { room, context })));
    return {
      workflows,
      ...(faulty.length === 0
        ? {}
        : {
            faulty: await Promise.all(unread.slice(0, most).map((each) => keptFaults(each, context))),
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

function hasRoom(workflow: Listed, room: number): boolean {
  return 2 * jsonLength(workflow) <= room;
}

/** One that no answer holds is there without what is long in it, which is kept. */
function begun({ description, inputs, ...brief }: Listed, uri: string) {
  return { ...brief, whole: uri };
}

/** Only what this page names is kept: each is a file, which lasts a day. */
async function kept(
  workflow: Listed,
  { room, context }: { readonly room: number; readonly context: CallContext<WorkflowsState> },
) {
  const { results } = context.host;
  if (hasRoom(workflow, room)) return workflow;
  const { description, inputs } = workflow;
  const text = JSON.stringify({ description, inputs });
  const { uri } = await results.keep({ text, mimeType: 'application/json' }, context);
  return begun(workflow, uri);
}

interface Faulty {
  readonly file: string;
  readonly faults: readonly z.output<typeof faultRow>[];
}

/** Of a file that is no workflow as many faults as have room beside a workflow, each of them whole or its beginning. */
function faultsThatFit({ file, faults }: Faulty, results: CallContext['host']['results'], uri: string) {
  const room = FAULTS_SHARE * answerRoom(results);
  const short = faults.map((each) => ({ ...each, message: cutEndCounted(each.message, room / 4) }));
  const first = fitting(short, { room, textOf: jsonLength, beside: jsonLength({ file, whole: uri }) });
  const isWhole =
    first.length === faults.length && first.every(({ message }, at) => message === faults[at]?.message);
  return isWhole ? { file, faults: first } : { file, faults: first, whole: uri };
}

async function keptFaults(faulty: Faulty, context: CallContext<WorkflowsState>) {
  const { results } = context.host;
  const shown = faultsThatFit(faulty, results, UNKEPT);
  if (!('whole' in shown)) return shown;
  const text = JSON.stringify(faulty.faults);
  const { uri } = await results.keep({ text, mimeType: 'application/json' }, context);
  return { ...shown, whole: uri };
}

function toNext(schedule: Schedule): string | null {
  const next = nextTime(schedule, Date.now());
  return next === undefined ? null : new Date(next).toISOString();
}
