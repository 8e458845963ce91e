import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openHttpSession } from '../http-client.ts';
import type { HttpServer } from '../servers.ts';

/** What one process does between two restarts. */
export interface Round {
  readonly sessions: number;
  readonly calls: number;
  readonly runs: number;
}

/** Calls of a session at once. */
const IN_FLIGHT = 8;

type Call = readonly [tool: string, args: object];

/** Kinds of calls, each as often as its share of a hundred; what is refused is work too. */
const KINDS: readonly (readonly [share: number, call: (at: number) => Call])[] = [
  [50, () => ['noop', {}]],
  [14, () => ['noop_write', {}]],
  [6, (at) => ['memory_write', { backend: 'typed', key: `key-${at % 200}`, value: `value ${at}` }]],
  [6, (at) => ['memory_query', { query: `value ${at % 500}` }]],
  [4, (at) => ['search_codebase', { query: `thing${at % 50}`, mode: 'symbol' }]],
  [2, () => ['search_codebase', { query: 'return', mode: 'text', limit: 200 }]],
  [4, (at) => ['read_file', { path: `src/file-${at % 50}.ts` }]],
  [3, () => ['find_tools', { queries: ['look at it'] }]],
  [3, () => ['use_tool', { toolbox: 'box', tool: 'look' }]],
  [2, () => ['list_toolboxes', {}]],
  [2, (at) => ['task_status', { taskIds: [`none-${at}`] }]],
  [2, () => ['read_file', { path: 'nowhere.ts' }]],
  [2, (at) => ['unknown_tool', { at }]],
];

const HUNDRED = KINDS.flatMap(([share, call]) => Array.from({ length: share }, () => call));

/** The project that all rounds work in. */
export function makeProject(folder: string): void {
  mkdirSync(join(folder, 'src'), { recursive: true });
  for (let at = 0; at < 50; at += 1) {
    const text = `export function thing${at}(): number {\n  return ${at};\n}\n`;
    writeFileSync(join(folder, 'src', `file-${at}.ts`), text);
  }
  mkdirSync(join(folder, '.nexus', 'workflows'), { recursive: true });
  const steps = "steps:\n  - { id: a, uses: 'tool:noop' }\n  - { id: b, uses: 'tool:noop', needs: [a] }\n";
  const text = `name: two\ndescription: Does nothing, twice.\n${steps}`;
  writeFileSync(join(folder, '.nexus', 'workflows', 'two.yaml'), text);
}

/** Sessions one after the other, each with its share of the calls and runs. */
export async function doRound(server: HttpServer, { sessions, calls, runs }: Round): Promise<void> {
  const share = Math.ceil(calls / sessions);
  const runShare = Math.ceil(runs / sessions);
  for (let session = 0; session < sessions; session += 1) {
    const client = await openHttpSession(server.url);
    let next = 0;
    const work = async () => {
      for (let at = next++; at < share; at = next++) {
        const kind = HUNDRED[(at * 37) % HUNDRED.length];
        const [tool, args] = kind?.(at) ?? ['noop', {}];
        await client.callTool(tool, args);
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, work));
    for (let at = 0; at < runShare; at += 1) {
      const answer = await client.callTool('run_workflow', { template: 'two' });
      if (answer.includes('"isError":true')) throw new Error(`run_workflow: ${answer.slice(0, 500)}`);
    }
    client.close();
  }
}
