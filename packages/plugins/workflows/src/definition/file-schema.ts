// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions are written like that
import { conflictRules } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { schedule } from './schedule.ts';

/** What a name in a workflow file may be: it stands in expressions and in the names of a run's steps. */
const id = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'must begin with a letter and have letters, digits, _ and - only');

const title = z.string().min(1).max(200);

export const inputTypes = ['string', 'number', 'boolean', 'array', 'object'] as const;

const input = z.strictObject({
  name: id.describe('By which expressions name it: inputs.<name>.'),
  type: z.enum(inputTypes).default('string').describe('What values it takes.'),
  required: z.boolean().default(false).describe('Whether a run can begin without it.'),
  default: z.unknown().optional().describe('Its value where none is given.'),
  description: z.string().min(1).max(1_000).describe('What it is for; shown where it is asked for.'),
});

/** A text that is one expression, or a literal. */
const condition = z
  .union([z.boolean(), z.string().max(2_000)])
  .describe('An expression, `${{ … }}`: whether to do it.');

/** What a step of a workflow and a node of a graph have in common. */
const work = {
  id: id.describe('By which others name it; unique in the file.'),
  title: title.optional().describe('For people; the id by default.'),
  uses: z
    .string()
    .min(1)
    .max(200)
    .describe(
      'What does it: tool:<name>, expert:<role>, vote, prove (by a test that is run), ask (a person) or wait.',
    ),
  with: z
    .record(z.string().min(1).max(200), z.unknown())
    .default({})
    .describe('What it is given; texts may hold expressions.'),
  retries: z.int().min(0).max(5).default(0).describe('How often it is tried again after a failure.'),
  timeoutMs: z
    .int()
    .min(1)
    .max(3_600_000)
    .optional()
    .describe('Milliseconds after which one try has failed.'),
  forEach: z
    .union([z.array(z.unknown()), z.string().max(2_000)])
    .optional()
    .describe(
      'Does it once for each item of a list, as `item` and `index`; its output is the list of theirs.',
    ),
  concurrency: z.int().min(1).max(32).optional().describe('Of its forEach, how many at once.'),
} as const;

export const MAX_ITEMS = 10_000;

const step = z.strictObject({
  ...work,
  needs: z
    .array(id)
    .max(200)
    .default([])
    .describe('Steps that must have ended first, beside those that its expressions name.'),
  if: condition.optional().describe('An expression, `${{ … }}`: the step is left out where it is not true.'),
});

const node = z.strictObject({
  ...work,
  set: z
    .record(id, z.unknown())
    .default({})
    .describe('What of the state it changes when it has ended; `output` is its own.'),
});

const edge = z.strictObject({
  from: id.describe('The node that has ended.'),
  to: id.describe('The node that comes next.'),
  if: condition
    .optional()
    .describe('An expression, `${{ … }}`, judged when `from` has ended: whether to go this way.'),
  atMost: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('Of an edge that goes back: how often in a run. Without it the edge goes forward.'),
});

const about = {
  $schema: z.string().max(500).optional().describe('For editors.'),
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,63}$/, 'must begin with a letter and have small letters, digits and - only')
    .describe('By which it is run.'),
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/, "must be a text of three numbers, such as '1.0.0'")
    .default('1.0.0')
    .describe('Counted up when it changes.'),
  category: z.string().min(1).max(50).default('custom').describe('By which lists are narrowed.'),
  description: z.string().min(1).max(2_000).describe('When to use it and what comes of it.'),
  inputs: z.array(input).max(50).default([]).describe('What it is given by whoever runs it.'),
  schedule: schedule.optional().describe('When it is run by itself, once its user trusts it.'),
  concurrency: z
    .strictObject({
      group: z
        .string()
        .min(1)
        .max(500)
        .describe(
          'Runs of whatever workflow whose group comes to the same are kept apart; `inputs` can be used.',
        ),
      limit: z.int().min(1).max(100).default(1).describe('How many of the group go on at a time.'),
      onConflict: z
        .enum(conflictRules)
        .default('queue')
        .describe('One more waits, is refused, or has the oldest cancelled.'),
    })
    .optional()
    .describe('Keeps runs out of each other’s way, over all servers of the project.'),
} as const;

const outputs = z
  .record(id, z.unknown())
  .optional()
  .describe('What the run answers, by name; by default the output of every step.');

/** A workflow: steps that run as soon as what they need has ended. */
export const workflowFile = z.strictObject({
  ...about,
  steps: z.array(step).min(1).max(200).describe('What is done; the order in the file means nothing.'),
  outputs,
});

/** A graph workflow: nodes that share a state, and edges that say what comes next, back too. */
export const graphFile = z.strictObject({
  ...about,
  state: z
    .record(id, z.unknown())
    .default({})
    .describe('What the nodes share, with what it is at the beginning; `inputs` can be used.'),
  nodes: z.array(node).min(1).max(100).describe('What is done.'),
  edges: z
    .array(edge)
    .max(500)
    .default([])
    .describe('What comes next. A node begins when all that lead to it have ended, and one leads here.'),
  outputs: outputs.describe('What the run answers, by name; by default its state.'),
});

export type WorkflowFile = z.output<typeof workflowFile>;
export type GraphFile = z.output<typeof graphFile>;
export type InputFile = WorkflowFile['inputs'][number];
export type StepFile = WorkflowFile['steps'][number];
export type NodeFile = GraphFile['nodes'][number];

/** Either, told apart by what it is made of. */
export type Definition =
  | ({ readonly kind: 'workflow' } & WorkflowFile)
  | ({ readonly kind: 'graph' } & GraphFile);
