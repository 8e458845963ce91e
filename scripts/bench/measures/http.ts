import type { Figure, Measure } from '../figure.ts';
import { type HttpSession, openHttpSession } from '../http-client.ts';
import { inRehearsal } from '../rehearsal.ts';
import type { HttpServer } from '../servers.ts';
import { interleave, median } from '../statistics.ts';
import { makeScratch, withNoop } from '../subjects.ts';

const WARM_UP = inRehearsal(1, 300);
const CALLS = inRehearsal(1, 1500);
const CONNECTIONS = inRehearsal(1, 64);
const CALLS_A_CONNECTION = inRehearsal(1, 60);
const ROUNDS = inRehearsal(1, 5);
const IDLE_SESSIONS = inRehearsal(1, 1000);

export const http: Measure = {
  name: 'http',
  method: `Beside the SDK's own transport on node:http. Resident memory that ${IDLE_SESSIONS} idle sessions add to a fresh server. A no-op call on one kept-alive connection, ${CALLS} in turn after ${WARM_UP} to warm up; ${CONNECTIONS} sessions on a connection each, ${CALLS_A_CONNECTION} calls one after the other on each, ${ROUNDS} rounds in turn. Medians.`,
  async run() {
    using scratch = makeScratch({ ...withNoop, http: { maxSessions: 2 * (IDLE_SESSIONS + CONNECTIONS) } });
    const nexus = await scratch.startNexusHttp();
    const bare = await scratch.startBareHttp();
    try {
      return [
        // First: memory that earlier calls freed would take up the sessions.
        await measureIdle(nexus, bare),
        await measureCall(nexus, bare),
        await measureThroughput(nexus, bare),
      ];
    } finally {
      await Promise.all([nexus.stop(), bare.stop()]);
    }
  },
};

async function measureCall(nexus: HttpServer, bare: HttpServer): Promise<Figure> {
  const sessions = { nexus: await openHttpSession(nexus.url), bare: await openHttpSession(bare.url) };
  const timed = (session: HttpSession) => async () => {
    const startedAt = performance.now();
    await session.call();
    return performance.now() - startedAt;
  };
  const contestants = { nexus: timed(sessions.nexus), bare: timed(sessions.bare) };
  await interleave(contestants, WARM_UP);
  const samples = await interleave(contestants, CALLS);
  for (const session of Object.values(sessions)) session.close();
  return {
    what: 'No-op call over HTTP',
    unit: 'ms',
    nexus: median(samples.nexus),
    against: { name: 'bare SDK over HTTP', value: median(samples.bare) },
    target: { of: 'ratio', atMost: 1 },
  };
}

async function measureThroughput(nexus: HttpServer, bare: HttpServer): Promise<Figure> {
  const open = (url: string) => Promise.all(Array.from({ length: CONNECTIONS }, () => openHttpSession(url)));
  const sessions = { nexus: await open(nexus.url), bare: await open(bare.url) };
  const rate = (all: readonly HttpSession[]) => async () => {
    const startedAt = performance.now();
    await Promise.all(
      all.map(async (session) => {
        for (let call = 0; call < CALLS_A_CONNECTION; call += 1) await session.call();
      }),
    );
    return (all.length * CALLS_A_CONNECTION) / ((performance.now() - startedAt) / 1000);
  };
  const samples = await interleave({ nexus: rate(sessions.nexus), bare: rate(sessions.bare) }, ROUNDS);
  for (const session of [...sessions.nexus, ...sessions.bare]) session.close();
  return {
    what: `Throughput at ${CONNECTIONS} connections`,
    unit: 'calls/s',
    nexus: median(samples.nexus),
    against: { name: 'bare SDK over HTTP', value: median(samples.bare) },
    target: { of: 'ratio', atLeast: 1 },
  };
}

async function measureIdle(nexus: HttpServer, bare: HttpServer): Promise<Figure> {
  const kbEach = async (server: HttpServer) => {
    const before = server.rssMb();
    const sessions: HttpSession[] = [];
    for (let session = 0; session < IDLE_SESSIONS; session += 1) {
      sessions.push(await openHttpSession(server.url));
    }
    const added = server.rssMb() - before;
    for (const session of sessions) session.close();
    return (added * 1024) / IDLE_SESSIONS;
  };
  return {
    what: 'Memory an idle HTTP session holds',
    unit: 'kB',
    nexus: await kbEach(nexus),
    against: { name: 'bare SDK over HTTP', value: await kbEach(bare) },
    target: { of: 'value', atMost: 200 },
  };
}
