import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { McpClient } from './mcp-client.ts';

const FOLDER = '.nexus/workflows';
const many = (count: number, one: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => one(at));

/** Twenty expressions in one step, and one in each of twenty steps that are ready together. */
const expressions = [
  ...[
    'name: expressions',
    'description: Works out what is large.',
    'inputs:',
    '  - { name: text, description: A list. }',
    'steps:',
  ],
  ...many(
    20,
    (at) =>
      `  - { id: s${at}, uses: 'tool:slow_echo', if: "\${{ length(unique(fromJson(inputs.text))) > ${at} }}", with: { text: "\${{ toJson(unique(fromJson(inputs.text))) }}" } }`,
  ),
  '  - id: all',
  "    uses: 'tool:slow_echo'",
  '    with:',
  '      text: x',
  ...many(20, (at) => `      t${at}: "\${{ join(unique(split(inputs.text, ',')), inputs.text) }}"`),
].join('\n');

/** Aliases that stand for a thousand million. */
const aliases = `a: &a [${'x,'.repeat(100)}]\n${many(9, (at) => `${'bcdefghij'[at]}: &${'bcdefghij'[at]} [${`*${'abcdefghi'[at]},`.repeat(10)}]`).join('\n')}`;

const list = `[${many(300_000, (at) => `${at % 7}`).join(',')}]`;
const keys = Object.fromEntries(many(200_000, (at) => `key${at}`).map((key) => [key, 1]));
const fewerKeys = Object.fromEntries(Object.entries(keys).slice(0, 49_000));
const diffOf = (body: string) => `diff --git a/x b/x\n--- a/x\n+++ b/x\n${body}`;
const spec = (text: string) => ['execute_spec', { spec: text, dryRun: true }] as const;
const diff = (text: string) => ['pr_review', { prTitle: 'x', prDiff: text }] as const;

const CALLS: readonly (readonly [tool: string, args: object])[] = [
  spec(`# a${' '.repeat(2_500)}b`),
  spec(
    many(15_000, (at) => `- item ${at}`)
      .join('\n')
      .slice(0, 200_000),
  ),
  spec('It must do. '.repeat(16_600)),
  spec(`- It must require ${'R1, '.repeat(45_000)}`),
  spec(`${'#'.repeat(6)} ${' #'.repeat(90_000)}x`),
  ['run_workflow', { template: `${FOLDER}/expressions.yaml`, inputs: { text: list } }],
  ['run_workflow', { template: `${FOLDER}/aliases.yaml`, dryRun: true }],
  ['list_workflows', {}],
  ['slow_echo', keys],
  ['slow_echo', fewerKeys],
  ['slow_echo', { text: 'x', deep: [fewerKeys] }],
  ['slow_echo', JSON.parse(`${'{"a":'.repeat(900)}1${'}'.repeat(900)}`)],
  ['slow_echo', { ...fewerKeys, text: 1 }],
  [
    'bundle',
    {
      ops: many(20, (at) => `op${at}`)
        .map((tool) => ({ ...fewerKeys, tool }))
        .slice(0, 3),
    },
  ],
  ['register_worker', { name: 'w' }],
  ['register_worker', { name: 'v' }],
  ['reserve_files', { worker: 'w', globs: many(50, (at) => `${'{a,b}*'.repeat(60)}${at}/**`) }],
  ['reserve_files', { worker: 'v', globs: many(50, (at) => `${'*{b,a}'.repeat(60)}${at}/**`) }],
  ['find_tools', { queries: many(20, (at) => `${'pattern '.repeat(2_000)}${at}`) }],
  diff(diffOf(`@@ -0,0 +1,660000 @@\n${'+a\n'.repeat(660_000)}`)),
  diff('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'.repeat(45_000)),
  diff(diffOf(`@@ -1 +1 @@\n-${'a'.repeat(990_000)}\n+${'b '.repeat(490_000)}\n`)),
  diff(diffOf('@@ -1 +1 @@\n-a\n+b\n')),
  ['execute_spec', { spec: '- It must be.' }],
  ['delegate_to_model', { task: 'Say it.' }],
  ['execute_expert', { expertId: 'code', task: 'Do it.' }],
];

/** A session that has everything read that others can write: texts that hold whoever reads them, and models that answer so. */
export async function attackByTexts(client: McpClient, root: string, goesOn: () => boolean): Promise<void> {
  mkdirSync(join(root, FOLDER), { recursive: true });
  writeFileSync(join(root, FOLDER, 'expressions.yaml'), expressions);
  let turn = 0;
  for (; goesOn(); turn += 1) {
    // Another content each time, so that none is known yet.
    writeFileSync(join(root, FOLDER, 'aliases.yaml'), `${aliases}\nz: ${turn}\n`);
    const [tool, args] = CALLS[turn % CALLS.length] ?? ['', {}];
    await client.call(tool, args, AbortSignal.timeout(10_000)).catch(() => {});
  }
}
