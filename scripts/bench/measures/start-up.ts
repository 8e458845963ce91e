import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure, Measure } from '../figure.ts';
import { withMoreTools } from '../many-tools.ts';
import { inRehearsal } from '../rehearsal.ts';
import { type StdioServer, startStdioServer } from '../servers.ts';
import { someToolboxes } from '../some-toolboxes.ts';
import { interleave, median } from '../statistics.ts';
import { bin, makeScratch, type Scratch, withNoop } from '../subjects.ts';

const ROUNDS = inRehearsal(1, 21);
const MORE_TOOLS = 100;

export const startUp: Measure = {
  name: 'start-up',
  method: `From spawn to the first answer to tools/list, or to a first call; median of ${ROUNDS}, in turn. Warm: the data directory was there before. The ${MORE_TOOLS} more tools are the real ones again under other names, in a copy of the build. Memory is resident memory once tools/list is answered.`,
  async run() {
    using plain = makeScratch();
    using three = makeScratch({ toolboxes: Object.fromEntries(Object.entries(someToolboxes()).slice(0, 3)) });
    using noop = makeScratch(withNoop);
    using more = withMoreTools(MORE_TOOLS);
    const memory = { nexus: [] as number[], bare: [] as number[] };
    const list = (server: StdioServer) => server.request('tools/list');
    const call = (server: StdioServer) => server.request('tools/call', { name: 'noop', arguments: {} });
    const samples = await interleave(
      {
        nexus: timed(plain.startNexus, list, memory.nexus),
        bare: timed(plain.startBare, list, memory.bare),
        three: timed(three.startNexus, list),
        empty: timedOnEmpty(plain),
        more: timed(() => startAt(more.main, plain), list),
        nexusCall: timed(noop.startNexus, call),
        bareCall: timed(noop.startBare, call),
      },
      ROUNDS,
    );
    const bare = { name: 'bare SDK server, one tool', value: median(samples.bare) };
    const figure = (what: string, took: readonly number[], atMost: number): Figure => ({
      what,
      unit: 'ms',
      nexus: median(took),
      against: bare,
      target: { of: 'ratio', atMost },
    });
    return [
      figure('Start to first tools/list, warm', samples.nexus, 0.5),
      figure('The same with a config of three toolboxes', samples.three, 0.6),
      figure('The same on an empty data directory', samples.empty, 0.65),
      {
        what: 'What ten further tools add to it',
        unit: 'ms',
        nexus: (median(samples.more) - median(samples.nexus)) / (MORE_TOOLS / 10),
        target: { of: 'value', atMost: 1 },
      },
      {
        what: 'Start and first call of a plugin’s tool',
        unit: 'ms',
        nexus: median(samples.nexusCall),
        against: { name: 'bare SDK server', value: median(samples.bareCall) },
        target: { of: 'ratio', atMost: 1 },
      },
      {
        what: 'Resident memory after tools/list',
        unit: 'MB',
        nexus: median(memory.nexus),
        against: { name: 'bare SDK server, one tool', value: median(memory.bare) },
        target: { of: 'ratio', atMost: 0.85 },
      },
    ];
  },
};

function timed(
  start: () => Promise<StdioServer>,
  first: (server: StdioServer) => Promise<unknown>,
  memoryMb: number[] = [],
) {
  return async () => {
    const startedAt = performance.now();
    const server = await start();
    await first(server);
    const tookMs = performance.now() - startedAt;
    memoryMb.push(server.rssMb());
    await server.stop();
    return tookMs;
  };
}

function timedOnEmpty({ projectDir }: Scratch) {
  return async () => {
    const empty = mkdtempSync(join(projectDir, 'empty-'));
    const start = () => startAt(undefined, { projectDir }, join(empty, 'data'));
    try {
      return await timed(start, (server) => server.request('tools/list'))();
    } finally {
      rmSync(empty, { recursive: true, force: true });
    }
  };
}

function startAt(
  main: string | undefined,
  { projectDir }: Pick<Scratch, 'projectDir'>,
  dataDir = join(projectDir, '.data'),
): Promise<StdioServer> {
  const env = { NEXUS_DATA_DIR: dataDir, NEXUS_RUNTIME_DIR: projectDir };
  return startStdioServer([main ?? bin, '--mode=server', '--standalone'], { cwd: projectDir, env });
}
