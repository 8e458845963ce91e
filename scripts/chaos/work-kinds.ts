import { isDeepStrictEqual } from 'node:util';

/** A kind of work as a client asks for it. */
export interface WorkKind {
  readonly name: string;
  readonly tool: string;
  /** The kind of its run on record. */
  readonly runKind: string;
  args(mark: string, made: Made): Record<string, unknown>;
  /** Whether this is the answer that it comes to, whatever happened on the way. */
  isRight(answer: Answer, mark: string): boolean;
}

/** What is made once, before all work. */
export interface Made {
  readonly expertId: string;
}

export type Answer = Readonly<Record<string, unknown>>;

const has = (value: unknown, text: string) => JSON.stringify(value ?? null).includes(text);
const statusesOf = (rows: unknown) =>
  (rows as { status?: string }[] | undefined)?.map(({ status }) => status);

export const workKinds: readonly WorkKind[] = [
  {
    name: 'orchestrate',
    tool: 'orchestrate',
    runKind: 'experts.orchestrate',
    args: (mark) => ({ task: `Is login safe? ${mark}` }),
    isRight: ({ summary, steps }, mark) =>
      summary === `All is told of ${mark}.` && isDeepStrictEqual(statusesOf(steps), Array(3).fill('passed')),
  },
  {
    name: 'execute_expert',
    tool: 'execute_expert',
    runKind: 'experts.turn',
    args: (mark, { expertId }) => ({ expertId, task: `FIND-CALLERS of login. ${mark}` }),
    isRight: ({ output, toolCalls }, mark) =>
      has(output, `CALLERS-FOUND of ${mark}`) && (toolCalls as unknown[]).length === 1,
  },
  {
    name: 'consensus_vote',
    tool: 'consensus_vote',
    runKind: 'consensus.vote',
    args: (mark) => ({
      proposal: `Let login be safe for users, its config, and the scores of models. ${mark}`,
    }),
    isRight: ({ decision, votes }, mark) =>
      decision === 'approved' && (votes as unknown[]).length === 7 && has(votes, `seen of ${mark}`),
  },
  {
    name: 'run_workflow',
    tool: 'run_workflow',
    runKind: 'workflows.workflow',
    args: (mark) => ({ template: 'two-and-one', inputs: { mark } }),
    isRight: ({ status, output }, mark) => status === 'completed' && has(output, `FIRST-DRAFT of ${mark}`),
  },
  {
    name: 'run_graph_workflow',
    tool: 'run_graph_workflow',
    runKind: 'workflows.graph',
    args: (mark) => ({ workflow: 'until-good', inputs: { mark } }),
    isRight: ({ status, finalState }, mark) =>
      status === 'completed' && has(finalState, `SECOND-DRAFT of ${mark}`),
  },
  {
    name: 'run_pipeline',
    tool: 'run_pipeline',
    runKind: 'workflows.pipeline',
    args: (mark) => ({ task: `Tell of login. ${mark}`, template: 'general', quickMode: true }),
    isRight: ({ status, output }, mark) => status === 'done' && has(output, `DONE of ${mark}`),
  },
  {
    name: 'run_dev_pipeline',
    tool: 'run_dev_pipeline',
    runKind: 'workflows.dev-pipeline',
    args: (mark) => ({ task: `Let the product of 2 and 3 be 6. ${mark}`, qualityGate: 'blocking' }),
    isRight: ({ status, checks, changes }) =>
      status === 'done' &&
      isDeepStrictEqual(checks, [{ ...(checks as object[])[0], before: 'failed', after: 'passed' }]) &&
      isDeepStrictEqual((changes as { files?: unknown }).files, [
        { path: 'product.mjs', added: 1, removed: 1 },
      ]),
  },
  {
    name: 'execute_spec',
    tool: 'execute_spec',
    runKind: 'workflows.spec',
    args: (mark) => ({ spec: specOf(mark) }),
    isRight: ({ status, requirements }) =>
      status === 'met' && isDeepStrictEqual(statusesOf(requirements), Array(3).fill('met')),
  },
];

export function workKindOf(name: string): WorkKind {
  const found = workKinds.find((kind) => kind.name === name);
  if (!found) throw new Error(`no kind of work ${name}`);
  return found;
}

function specOf(mark: string): string {
  return `- Sums of ${mark} are exported.\n- Texts of ${mark} are refused.\n- All of ${mark} is told.\n`;
}

/** Two experts side by side and an effect, then one that needs them. */
const TWO_AND_ONE = `
name: two-and-one
description: Finds callers and threats, and writes of both.
inputs: [{ name: mark, required: true, description: Whose it is. }]
steps:
  - { id: note, uses: 'tool:submit_task', with: { title: 'EFFECT of \${{ inputs.mark }}', payload: 1 } }
  - { id: callers, uses: expert:code, with: { task: 'ANSWER-CALLERS of \${{ inputs.mark }}' } }
  - { id: threats, uses: expert:security, with: { task: 'FIND-THREATS of \${{ inputs.mark }}' } }
  - id: report
    uses: expert:documentation
    needs: [note]
    with:
      task: WRITE-REPORT of \${{ inputs.mark }}
      context: { callers: '\${{ steps.callers.output.text }}', threats: '\${{ steps.threats.output.text }}' }
outputs: { report: '\${{ steps.report.output.text }}' }
`;

/** Writes until a judge is content. */
const UNTIL_GOOD = `
name: until-good
description: Writes until it is good.
inputs: [{ name: mark, required: true, description: Whose it is. }]
state: { text: none, wrong: '' }
nodes:
  - id: write
    uses: expert:documentation
    with: { task: 'WRITE-REPORT of \${{ inputs.mark }}', context: { before: '\${{ state.text }}', wrong: '\${{ state.wrong }}' } }
    set: { text: '\${{ output.text }}' }
  - id: judge
    uses: expert:qa
    with: { task: 'JUDGE-IT well, \${{ inputs.mark }}', context: { text: '\${{ state.text }}' } }
    set: { wrong: '\${{ startsWith(output.text, ''GOOD'') ? '''' : output.text }}' }
edges:
  - { from: write, to: judge }
  - { from: judge, to: write, if: "\${{ state.wrong != '' }}", atMost: 3 }
`;

const PRODUCT_TEST = `import assert from 'node:assert';
import { product } from './product.mjs';
assert.equal(product(2, 3), 6);
`;

/** What lies in every project that the work is done in. */
export const PROJECT_FILES: Readonly<Record<string, string>> = {
  '.nexus/workflows/two-and-one.yaml': TWO_AND_ONE,
  '.nexus/workflows/until-good.yaml': UNTIL_GOOD,
  'sum.mjs': 'export const sum = (a, b) => a + b;\n',
  'product.mjs': 'export const product = (a, b) => a + b;\n',
  'product.test.mjs': PRODUCT_TEST,
  'nexus.config.json': JSON.stringify({
    workflows: { commands: { test: [process.execPath, 'product.test.mjs'] } },
  }),
  'src/login.ts': 'export function login() {}\n',
};

/** Runs whose work has an effect beside models: one task of the bus, its title `EFFECT of` and the mark. */
export const HAS_EFFECT: ReadonlySet<string> = new Set(['run_workflow']);
