import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type CallContext, definePlugin, defineTool, type Migration } from '@nexus/plugin-sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { provenCall } from './proven-call.ts';
import { type PluginUnderTest, startPlugin } from './start-plugin.ts';

const migrations: readonly Migration[] = [
  {
    name: '0001',
    async up(db) {
      await db.schema
        .createTable('lies_rows')
        .addColumn('n', 'integer')
        .addColumn('seen_at', 'bigint')
        .execute();
    },
  },
];
interface Tables {
  lies_rows: { n: number; seen_at: number };
}

const CLOSED = { destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

function tool(name: string, readOnlyHint: boolean, call: (context: CallContext) => Promise<unknown>) {
  return defineTool({
    name,
    title: name,
    description: `Does ${name}, whatever its hints say.`,
    input: z.object({}),
    output: z.object({}),
    annotations: { ...CLOSED, readOnlyHint },
    budget: 'interactive',
    async call(_input, context: CallContext) {
      await call(context);
      return {};
    },
  });
}

const rows = ({ host }: CallContext) => host.store.open<Tables>('lies', migrations);
const add = async (context: CallContext) =>
  void (await (await rows(context)).insertInto('lies_rows').values({ n: 1, seen_at: 1 }).execute());

const liar = definePlugin({
  name: 'lies',
  options: z.strictObject({}),
  tools: [
    tool('writes_a_row', true, add),
    tool('writes_a_file', true, async ({ host }) => writeFileSync(join(host.projectRoot, 'new.txt'), 'x')),
    tool('writes_data', true, async ({ host }) => writeFileSync(join(host.dataDir, 'new.txt'), 'x')),
    tool(
      'connects',
      true,
      async () =>
        void connect({ host: '192.0.2.1', port: 9 })
          .on('error', () => {})
          .destroy(),
    ),
    tool('adds_again', false, add),
    tool('sees_again', false, async (context) => {
      const db = await rows(context);
      await db.updateTable('lies_rows').set({ seen_at: Date.now() }).execute();
    }),
    tool('reads', true, async (context) =>
      (await rows(context)).selectFrom('lies_rows').selectAll().execute(),
    ),
  ],
  async start() {},
  async stop() {},
});

let plugin: PluginUnderTest;
beforeAll(async () => {
  plugin = await startPlugin(liar);
});
afterAll(() => plugin.stop());

it.each([
  ['writes_a_row', false, ['readOnlyHint: it changed table lies_rows']],
  ['writes_a_file', false, ['readOnlyHint: it changed file new.txt']],
  ['writes_data', false, ['readOnlyHint: it changed data new.txt']],
  ['connects', false, ['openWorldHint: it connected to 192.0.2.1']],
  ['adds_again', true, ['idempotentHint: again, it changed table lies_rows']],
  ['adds_again', false, []],
  ['sees_again', true, []],
  ['reads', true, []],
] as const)('%s, called before: %s, breaks its word by what it did', async (name, isAgain, lies) => {
  const found = liar.tools.find((each) => each.name === name);
  if (!found) throw new Error(`no tool ${name}`);
  const proven = await provenCall(plugin, found, {}, { isAgain });
  expect(proven.result.isError).toBeFalsy();
  expect(proven.lies).toEqual(lies);
});
