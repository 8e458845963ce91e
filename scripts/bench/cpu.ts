import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { StdioServer } from './servers.ts';

/** Of the system's clock ticks, in which Linux counts a process's time. */
const TICK_MS = 10;

/** CPU time that a process has had so far, in milliseconds: to 10 ms on Linux, to 1 s elsewhere. */
function cpuMs(pid: number): number {
  const stat = `/proc/${pid}/stat`;
  if (existsSync(stat)) {
    // After the name, which may hold spaces and brackets: state is the first, utime the 12th, stime the 13th.
    const fields = readFileSync(stat, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }
  const time = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  return time.split(/[-:]/).reduce((sum, part) => sum * 60 + Number(part), 0) * 1_000;
}

/** CPU time of the process while the work goes on. */
export async function cpuOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = cpuMs(pid);
  await work();
  return cpuMs(pid) - before;
}

/** Time for which the process's first thread ran, in milliseconds: on Linux, where the system tells; else the clock's. */
function threadMs(pid: number): number {
  const stat = `/proc/${pid}/task/${pid}/schedstat`;
  return existsSync(stat) ? Number(readFileSync(stat, 'utf8').split(' ')[0]) / 1e6 : performance.now();
}

/** What a session asks all the time to see how long it waits: a ping, or a call. */
type Ask = (session: StdioServer) => Promise<unknown>;

const ping: Ask = (session) => session.request('ping');

/**
 * The most that a server's thread works between two answers to pings of a session, or to what else it asks, while the
 * work goes on, in milliseconds: how long that session waits where the machine does nothing else.
 */
export async function longestStretch(
  session: StdioServer,
  work: () => Promise<unknown>,
  ask = ping,
): Promise<number> {
  let longest = 0;
  let isOver = false;
  const asked = (async () => {
    while (!isOver) {
      const from = threadMs(session.pid);
      await ask(session);
      longest = Math.max(longest, threadMs(session.pid) - from);
    }
  })();
  await work().finally(() => {
    isOver = true;
  });
  await asked;
  return longest;
}

/** A share of one core, over so long: what a server that has nothing to do stays below. */
const IDLE = { share: 0.02, forMs: 3_000, atMostMs: 300_000 };

/** Until the process has done what it does behind what it was asked. @throws where it does not come to rest */
export async function untilIdle(pid: number): Promise<void> {
  for (const until = performance.now() + IDLE.atMostMs; performance.now() < until; ) {
    const used = await cpuOf(pid, () => new Promise((resolve) => setTimeout(resolve, IDLE.forMs)));
    if (used <= IDLE.share * IDLE.forMs) return;
  }
  throw new Error(`process ${pid} was still at work after ${IDLE.atMostMs} ms`);
}
