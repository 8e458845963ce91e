import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { longestStretch } from '../../cpu.ts';
import { bin, fixture, makeScratch } from '../../subjects.ts';
import type { GrowthRow } from '../row.ts';

const TIMES = 5;

/** Megabytes, up to what one message may hold. */
const TEXT_SIZES = [1, 4, 15] as const;
/** Up to what is read of one message. */
const ROW_SIZES = [15_000, 50_000, 145_000] as const;

const wait = {
  unit: 'ms',
  atMost: 100,
} as const;

export const largeText: GrowthRow = {
  ...wait,
  name: 'large-text',
  what: 'Large results, one text: what a host waits while another gets one',
  method: `A server's tool that answers a text of so many megabytes, called ${TIMES} times by a host in a process of its own, while another host of the server pings all the time; the most that the server's thread worked between two answers to it, the least of the calls'.`,
  sizes: TEXT_SIZES,
  smallSizes: TEXT_SIZES,
  measure: (megabytes) => waitDuring({ tool: 'text', arguments: { count: megabytes * 1_000_000 } }),
};

export const largeRows: GrowthRow = {
  ...wait,
  name: 'large-rows',
  what: 'Large results, small objects: what a host waits while another gets one',
  method: 'The same with an answer of so many small objects; more than 150 000 are refused.',
  sizes: ROW_SIZES,
  smallSizes: ROW_SIZES,
  measure: (count) => waitDuring({ tool: 'rows', arguments: { count } }),
};

export const largeArguments: GrowthRow = {
  ...wait,
  name: 'large-arguments',
  what: 'Large arguments, small objects: what a host waits while another sends them',
  method: 'The same with arguments of so many small objects.',
  sizes: ROW_SIZES,
  smallSizes: ROW_SIZES,
  measure: (rows) => waitDuring({ tool: 'text', arguments: { count: 12 } }, rows),
};

async function waitDuring(call: { tool: string; arguments: object }, rows?: number): Promise<number> {
  const { toolbox, server } = { toolbox: 'large', server: 'only' };
  using scratch = makeScratch({
    toolboxes: {
      [toolbox]: {
        mcpServers: { [server]: { command: process.execPath, args: [fixture('large-server.mjs')] } },
      },
    },
  });
  const first = await scratch.startShared();
  const caller = spawn(process.execPath, [fixture('large-caller.mjs'), bin, '--mode=server'], {
    cwd: scratch.projectDir,
    env: { ...process.env, ...scratch.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: caller.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const use = async (given: object, rows?: number) => {
    const params = { name: 'use_tool', arguments: { toolbox, server, ...given } };
    caller.stdin.write(`${JSON.stringify({ ...params, ...(rows === undefined ? {} : { rows }) })}\n`);
    const { value } = await lines.next();
    if (!String(value).includes('"result"') || String(value).includes('"isError":true'))
      throw new Error(String(value));
  };
  await use({ tool: 'text', arguments: { count: 12 } });
  const waits: number[] = [];
  for (let time = 0; time < TIMES; time += 1) waits.push(await longestStretch(first, () => use(call, rows)));
  caller.stdin.end();
  await first.stop();
  return Math.min(...waits);
}
