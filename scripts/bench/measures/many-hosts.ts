import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Measure } from '../figure.ts';
import { referenceServer } from '../reference-servers.ts';
import { inRehearsal } from '../rehearsal.ts';
import { type StdioServer, startStdioServer, treeOf } from '../servers.ts';
import { makeScratch } from '../subjects.ts';

const HOSTS = inRehearsal(1, 10);
/** Long enough for new processes to be done with what they do at start. */
const SETTLE_MS = inRehearsal(1, 3000);

/** The small process by which an owner starts programs. */
const STARTERS = 1;

/** What `node` is started with for each. */
const SERVERS = {
  everything: [referenceServer('everything'), 'stdio'],
  project: [referenceServer('filesystem'), '.'],
  outside: [referenceServer('filesystem'), '..'],
  facts: [referenceServer('memory')],
  people: [referenceServer('memory')],
};
const SET = Object.values(SERVERS);

const config = {
  toolboxes: {
    team: {
      description: 'What the team uses.',
      mcpServers: Object.fromEntries(
        Object.entries(SERVERS).map(([name, args]) => [name, { command: process.execPath, args }]),
      ),
    },
  },
};

export const manyHosts: Measure = {
  name: 'many-hosts',
  method: `${HOSTS} hosts that each have the tools of the same ${SET.length} servers (server-everything, two of server-filesystem, two of server-memory): through one Nexus, with its owner, the process that starts programs for it, bridges and servers, beside a set of servers for each host. One after the other, each ${SETTLE_MS / 1000} s after the last host listed the tools. The memory of all processes; a page that several have counts once (PSS), or where the system does not tell, in each (RSS).`,
  async run() {
    using scratch = makeScratch(config);
    const shared = await memoryMb(HOSTS + SET.length + STARTERS, async () => {
      const nexus = await scratch.startShared();
      const open = { name: 'open_toolbox', arguments: { toolbox: 'team' } };
      const { isError, content } = await nexus.request('tools/call', open);
      if (isError) throw new Error(JSON.stringify(content));
      return [nexus];
    });
    const separate = await memoryMb(HOSTS * SET.length, () =>
      Promise.all(SET.map((args) => startStdioServer(args, { cwd: scratch.projectDir }))),
    );
    return [
      {
        what: `Memory of ${HOSTS} hosts with ${SET.length} servers`,
        unit: 'MB',
        nexus: shared,
        against: { name: 'a set of servers for each host', value: separate },
        target: { of: 'ratio', atMost: 0.33 },
      },
    ];
  },
};

/** What all hosts' processes hold once each host has listed its tools. */
async function memoryMb(processes: number, startHost: () => Promise<StdioServer[]>): Promise<number> {
  const started: StdioServer[] = [];
  try {
    for (let host = 0; host < HOSTS; host += 1) {
      const servers = await startHost();
      started.push(...servers);
      await Promise.all(servers.map((server) => server.request('tools/list')));
    }
    await sleep(SETTLE_MS);
    const trees = started.flatMap(({ pid }) => treeOf(pid));
    if (trees.length !== processes) throw new Error(`${trees.length} processes instead of ${processes}`);
    return trees.reduce((total, { pid, rssMb }) => total + (proportionalMb(pid) ?? rssMb), 0);
  } finally {
    // The first is the owner, which ends last.
    for (const server of started.reverse()) await server.stop();
  }
}

/** A process's memory, of each page its share; Linux only. */
function proportionalMb(pid: number): number | undefined {
  const file = `/proc/${pid}/smaps_rollup`;
  if (!existsSync(file)) return undefined;
  const [, kilobytes] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8')) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}
