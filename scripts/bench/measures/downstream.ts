import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertEchoed, type EchoServer } from '../echo/echo-server.ts';
import { overSse, overStreamableHttp } from '../echo/http-ways.ts';
import { ECHO, overRelay, overStdio } from '../echo/line-ways.ts';
import { installEchoPeers } from '../echo/peers.ts';
import type { Figure, Measure } from '../figure.ts';
import { referenceServer } from '../reference-servers.ts';
import { inRehearsal } from '../rehearsal.ts';
import { treeMb } from '../servers.ts';
import { interleave, median } from '../statistics.ts';
import { makeScratch, type Scratch } from '../subjects.ts';

const WARM_UP = inRehearsal(1, 2000);
const CALLS = inRehearsal(1, 1000);
const IN_FLIGHT = 16;
const CALLS_IN_FLIGHT = inRehearsal(1, 2000);
const ROUNDS = inRehearsal(1, 5);

const SERVER = [referenceServer('everything'), 'stdio'];
const asMcpServer = { command: process.execPath, args: SERVER };

const config = {
  limits: { callsPerSecond: 10_000, burst: 100_000 },
  toolboxes: {
    bench: {
      description: 'The reference server.',
      autoOpen: true,
      prefix: false,
      mcpServers: { everything: asMcpServer },
    },
  },
};

const NODE_PEERS = ['mcp-hub', 'supergateway', 'mcp-proxy'] as const;
const PEERS = ['slop-mcp', ...NODE_PEERS] as const;

export const downstream: Measure = {
  name: 'downstream',
  fetches: true,
  method: `The echo tool of @modelcontextprotocol/server-everything: directly; through a relay that carries bytes between a Unix socket and one shared child and reads none of them; through the same relay when it parses each line, exchanges its id and writes it anew (both are floors); through Nexus, as owner and over a bridge; through slop-mcp, mcp-hub, supergateway and mcp-proxy, each by its own transport. ${CALLS} calls in turn after ${WARM_UP} to warm up; median. Throughput with ${IN_FLIGHT} calls in flight, ${ROUNDS} rounds in turn. Then resident memory of each process tree, the server included.`,
  async run() {
    using scratch = makeScratch(config);
    const ways = await startWays(scratch);
    try {
      const timed = mapValues(
        ways,
        ({ echo }) =>
          () =>
            timeMs(echo),
      );
      await interleave(timed, WARM_UP);
      const callMs = mapValues(await interleave(timed, CALLS), median);
      const { direct, relay, reading, owner } = ways;
      const rates = await interleave(
        { direct: rate(direct), relay: rate(relay), reading: rate(reading), owner: rate(owner) },
        ROUNDS,
      );
      const treesMb = mapValues(ways, ({ pid }) => treeMb(pid));
      return [
        ...PEERS.map((peer) =>
          callFigure(`Echo through Nexus as owner`, callMs.owner, peer, callMs[peer], 1),
        ),
        {
          ...callFigure('Echo through Nexus as owner', callMs.owner, 'raw relay', callMs.relay, 1.3),
          floors: [{ name: 'a relay that reads', value: callMs.reading }],
        },
        callFigure('Echo over a bridge', callMs.bridge, 'raw relay', callMs.relay, 1.7),
        {
          what: `Echo, ${IN_FLIGHT} in flight`,
          unit: 'calls/s',
          nexus: median(rates.owner),
          against: { name: 'the server itself', value: median(rates.direct) },
          target: { of: 'ratio', atLeast: 0.55 },
          floors: [
            { name: 'raw relay', value: median(rates.relay) },
            { name: 'a relay that reads', value: median(rates.reading) },
          ],
        },
        ...NODE_PEERS.map(
          (peer): Figure => ({
            what: 'Resident memory of the tree',
            unit: 'MB',
            nexus: treesMb.owner,
            against: { name: peer, value: treesMb[peer] },
            target: { of: 'ratio', atMost: 1 },
          }),
        ),
      ];
    } finally {
      await Promise.all(Object.values(ways).map((way) => way.stop()));
    }
  },
};

type Ways = Readonly<
  Record<'direct' | 'relay' | 'reading' | 'owner' | 'bridge' | (typeof PEERS)[number], EchoServer>
>;

/** One after the other, so that none is measured while another starts. */
async function startWays(scratch: Scratch): Promise<Ways> {
  const cwd = scratch.projectDir;
  const peer = installEchoPeers();
  const owner = await echoOf(scratch);
  return {
    direct: await overStdio(SERVER, { cwd }),
    relay: await overRelay('relay', SERVER, { cwd }),
    reading: await overRelay('reading-relay', SERVER, { cwd }),
    owner,
    bridge: await echoOf(scratch),
    'slop-mcp': await overSlopMcp(peer('@standardbeagle/slop-mcp', 'binaries'), cwd),
    'mcp-hub': await overSse({
      cwd,
      args: (port) => [peer('mcp-hub', 'dist/cli.js'), '--port', `${port}`, '--config', hubConfig(cwd)],
      tool: 'everything__echo',
    }),
    supergateway: await overStreamableHttp({
      cwd,
      args: (port) => [
        peer('supergateway', 'dist/index.js'),
        ...['--stdio', [process.execPath, ...SERVER].join(' ')],
        ...['--outputTransport', 'streamableHttp', '--stateful', '--port', `${port}`],
      ],
      tool: ECHO.name,
    }),
    'mcp-proxy': await overStreamableHttp({
      cwd,
      args: (port) => [
        peer('mcp-proxy', 'dist/bin/mcp-proxy.mjs'),
        ...['--host', '127.0.0.1', '--port', `${port}`, '--', process.execPath, ...SERVER],
      ],
      tool: ECHO.name,
    }),
  };
}

async function echoOf(scratch: Scratch): Promise<EchoServer> {
  const server = await scratch.startShared();
  return {
    echo: async () => assertEchoed(JSON.stringify(await server.request('tools/call', ECHO))),
    pid: server.pid,
    stop: server.stop,
  };
}

/** Its Go program, without the launcher in Node.js before it. */
function overSlopMcp(binaries: string, projectDir: string): Promise<EchoServer> {
  const cwd = join(projectDir, 'slop');
  mkdirSync(cwd);
  const quoted = SERVER.map((arg) => JSON.stringify(arg)).join(' ');
  const kdl = `mcp "everything" {\n    command ${JSON.stringify(process.execPath)}\n    args ${quoted}\n}\n`;
  writeFileSync(join(cwd, '.slop-mcp.kdl'), kdl);
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  return overStdio(
    ['serve'],
    {
      cwd,
      env: { HOME: cwd, XDG_CONFIG_HOME: cwd },
      command: join(binaries, `slop-mcp-${platform}-${arch}${platform === 'windows' ? '.exe' : ''}`),
    },
    {
      name: 'execute_tool',
      arguments: { mcp_name: 'everything', tool_name: ECHO.name, parameters: ECHO.arguments },
    },
  );
}

function hubConfig(folder: string): string {
  const file = join(folder, 'mcp-hub.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { everything: asMcpServer } }));
  return file;
}

function callFigure(what: string, nexus: number, name: string, value: number, atMost: number): Figure {
  return { what, unit: 'ms', nexus, against: { name, value }, target: { of: 'ratio', atMost } };
}

async function timeMs(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Calls per second with a bounded number on their way. */
function rate({ echo }: EchoServer) {
  return async () => {
    let left = CALLS_IN_FLIGHT;
    const tookMs = await timeMs(async () => {
      const caller = async () => {
        while (left-- > 0) await echo();
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, caller));
    });
    return CALLS_IN_FLIGHT / (tookMs / 1000);
  };
}

function mapValues<Key extends string, From, To>(
  record: Readonly<Record<Key, From>>,
  to: (value: From) => To,
): Record<Key, To> {
  return Object.fromEntries(
    (Object.entries(record) as [Key, From][]).map(([key, value]) => [key, to(value)]),
  ) as Record<Key, To>;
}
