import { longestStretch, untilIdle } from '../../cpu.ts';
import { makeScratch, type Scratch } from '../../subjects.ts';
import { call } from '../call.ts';
import { startServers } from '../http-servers.ts';
import type { GrowthRow } from '../row.ts';

const sizes = [2_000, 6_000, 20_000] as const;
const smallSizes = [500, 1_500, 5_000] as const;
const TOOLS_A_SERVER = 500;

export const firstFind: GrowthRow = {
  name: 'first-find',
  what: 'Tools of other servers: the first find after a restart',
  method: `So many tools, ${TOOLS_A_SERVER} a server, which were listed and searched once; the time of the first find_tools of a new process.`,
  unit: 'ms',
  sizes,
  smallSizes,
  atMost: 1_000,
  measure: (size) =>
    withTools(size, async (scratch) => {
      const host = await scratch.startShared();
      const from = performance.now();
      await find(host);
      const took = performance.now() - from;
      await host.stop();
      return took;
    }),
};

export const firstFindWait: GrowthRow = {
  name: 'first-find-wait',
  what: 'Tools of other servers: what a host waits while another finds first',
  method:
    'The same, while another host of the new process pings all the time; the most that its thread worked between two answers to it.',
  unit: 'ms',
  sizes,
  smallSizes,
  atMost: 100,
  measure: (size) =>
    withTools(size, async (scratch) => {
      const first = await scratch.startShared();
      const second = await scratch.startShared();
      const waited = await longestStretch(first, () => find(second));
      await second.stop();
      await first.stop();
      return waited;
    }),
};

type Host = Awaited<ReturnType<Scratch['startShared']>>;

/** A project whose tools were found by a process that is over. */
async function withTools(size: number, measure: (scratch: Scratch) => Promise<number>): Promise<number> {
  await using servers = await startServers((path) => toolsOf(Number(path.slice(1))));
  using scratch = makeScratch({
    toolboxes: Object.fromEntries(
      Array.from({ length: size / TOOLS_A_SERVER }, (_, at) => [
        `box-${at}`,
        { mcpServers: { only: { url: `${servers.url}/${at}` } } },
      ]),
    ),
  });
  const host = await scratch.startShared();
  await find(host);
  await untilIdle(host.pid);
  await find(host);
  await host.stop();
  return await measure(scratch);
}

async function find(host: Host): Promise<void> {
  const { structuredContent } = await call(host, 'find_tools', { queries: ['create invoice 7'] });
  if (!JSON.stringify(structuredContent).includes('create_invoice')) {
    throw new Error(`the tool was not found: ${JSON.stringify(structuredContent).slice(0, 500)}`);
  }
}

const VERBS = ['create', 'list', 'get', 'update', 'delete', 'search', 'export', 'archive'];
const THINGS = ['invoice', 'customer', 'ticket', 'branch', 'calendar event', 'file', 'pipeline', 'payment'];

function toolsOf(server: number): readonly object[] {
  return Array.from({ length: TOOLS_A_SERVER }, (_, at) => {
    const verb = VERBS[at % VERBS.length] ?? '';
    const thing = THINGS[Math.floor(at / VERBS.length) % THINGS.length] ?? '';
    return {
      name: `${verb}_${thing.replace(' ', '_')}_${at}`,
      description: `Use it to ${verb} one ${thing} or more in workspace ${server}, by its number ${at} or by a filter; gives what it found with its fields and when each was changed last.`,
      inputSchema: {
        type: 'object',
        properties: {
          workspace: { type: 'string', description: `The workspace of the ${thing}.` },
          [`${thing.replace(' ', '_')}_id`]: { type: 'string', description: 'Its number.' },
          filter: { type: 'string', description: 'What it must have, as field:value.', maxLength: 500 },
          limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
        },
        required: ['workspace'],
      },
    };
  });
}
