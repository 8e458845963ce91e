import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import {
  fake,
  receivedBy,
  type SessionUnderTest,
  sourceOf,
  startDownstreams,
  textOf,
} from '../../test/downstreams-under-test.ts';

/** A server whose `work` runs as a task only, and is done after so many polls; -1 for never. */
const TASK_SERVER = `
import { createInterface } from 'node:readline';
const polls = Number(process.argv[2]);
const messages = [];
let asked = 0;
const tools = [
  { name: 'work', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } },
  { name: 'received', inputSchema: { type: 'object' } },
];
const task = (status) => ({ taskId: 't1', status, ttl: 60000, pollInterval: 1 });
const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
    serverInfo: { name: 'tasks', version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, task: wish }) => {
    if (name === 'received') return { content: [], structuredContent: { messages } };
    if (wish === undefined) throw new Error('a task only');
    return { task: task('working') };
  },
  'tasks/get': () => task(polls >= 0 && ++asked >= polls ? 'completed' : 'working'),
  'tasks/result': () => ({ content: [{ type: 'text', text: 'done' }], _meta: { kept: true } }),
  'tasks/cancel': () => task('cancelled'),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  messages.push({ method, params });
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: methods[method](params) }));
});
`;

async function withTaskServer(
  polls: number,
  use: (session: SessionUnderTest) => Promise<void>,
): Promise<void> {
  await using test = startDownstreams(sourceOf({}));
  const program = join(test.folder, 'tasks.mjs');
  writeFileSync(program, TASK_SERVER);
  const tasks = fake({}, { args: [program, String(polls)] });
  await test.downstreams.reconfigure(sourceOf({ a: { mcpServers: { s: tasks } } }));
  const session = test.session('one');
  await session.open('a');
  await use(session);
}

it('waits for the result of a tool that runs as a task only', async () => {
  await withTaskServer(3, async (session) => {
    const result = await session.call('a__s__work');
    expect(result).toEqual({ content: [{ type: 'text', text: 'done' }], _meta: { kept: true } });
    const methods = (await receivedBy(session, 'a__s__received')).map(({ method }) => method);
    expect(methods.filter((method) => method === 'tasks/get')).toHaveLength(3);
  });
});

it('cancels the task of a caller that gives up', async () => {
  await withTaskServer(-1, async (session) => {
    const controller = new AbortController();
    const running = session.call('a__s__work', {}, { signal: controller.signal });
    const methods = async () => (await receivedBy(session, 'a__s__received')).map(({ method }) => method);
    await vi.waitFor(async () => expect(await methods()).toContain('tasks/get'));
    controller.abort();
    expect(textOf(await running)).toContain('cancelled');
    await vi.waitFor(async () => expect(await methods()).toContain('tasks/cancel'));
  });
});
