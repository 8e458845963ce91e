import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Measure } from '../figure.ts';
import type { StdioServer } from '../servers.ts';
import { median } from '../statistics.ts';
import { makeScratch, withNoop } from '../subjects.ts';
import { timedCall } from '../timed-call.ts';

const NOBODYS = 15_000;
const OTHERS = 5_000;
const POLLERS = 32;
const AT_ONCE = 64;
const CALLS = 201;
const ROUNDS = 9;
const ROUND_MS = 1_000;
const SETTLE_MS = 3_000;
const IDLE_MS = 20_000;
/** Ticks of a second in /proc (`getconf CLK_TCK` says 100 on every Linux that we know). */
const TICKS = 100;

export const bus: Measure = {
  name: 'bus',
  method: `A server with ${NOBODYS + OTHERS} tasks on its bus, of which ${NOBODYS} need what no worker has and the others wait for one of those, and ${POLLERS} polls that wait for a task: its share of a core over ${IDLE_MS / 1000} s, from ${SETTLE_MS / 1000} s after they began. A no-op call on the same server: how much longer the longest takes while ${POLLERS} polls of ${ROUND_MS / 1000} s begin, wait and end than the median of ${CALLS} on the empty bus before; median of ${ROUNDS} rounds. Linux only.`,
  async run() {
    if (!existsSync('/proc/self/stat')) return [];
    using scratch = makeScratch(withNoop);
    const nexus = await scratch.startNexus();
    try {
      const noop = timedCall(nexus);
      const before: number[] = [];
      for (let call = 0; call < CALLS; call += 1) before.push(await noop());
      await fill(nexus);
      const longest: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        let isOver = false;
        const polls = poll(nexus, ROUND_MS).finally(() => {
          isOver = true;
        });
        let most = 0;
        while (!isOver) most = Math.max(most, await noop());
        await polls;
        longest.push(most);
      }
      const waiting = poll(nexus, SETTLE_MS + IDLE_MS + 5_000);
      await sleep(SETTLE_MS);
      const [from, at] = [cpuSeconds(nexus), performance.now()];
      await sleep(IDLE_MS);
      const share = ((cpuSeconds(nexus) - from) * 1000) / (performance.now() - at);
      await waiting;
      return [
        {
          what: `A core’s share of ${POLLERS} polls that wait beside ${(NOBODYS + OTHERS).toLocaleString('en')} tasks of others`,
          unit: 'share',
          nexus: share,
          target: { of: 'value', atMost: 0.02 },
        },
        {
          what: 'What such polls add to the longest of other calls',
          unit: 'ms',
          nexus: Math.max(0, median(longest) - median(before)),
          target: { of: 'value', atMost: 20 },
        },
      ];
    } finally {
      await nexus.stop();
    }
  },
};

async function fill(nexus: StdioServer): Promise<void> {
  const submit = async (more: object) => {
    const given = { title: 'work', payload: null, ...more };
    const result = await nexus.request('tools/call', { name: 'submit_task', arguments: given });
    if (result.isError) throw new Error(JSON.stringify(result.content));
    return String((result.structuredContent as { taskId: unknown }).taskId);
  };
  const first = await submit({ capabilities: ['nobody'] });
  const tasks = [
    ...Array.from({ length: NOBODYS - 1 }, () => ({ capabilities: ['nobody'] })),
    ...Array.from({ length: OTHERS }, () => ({ dependsOn: [first] })),
  ];
  for (let from = 0; from < tasks.length; from += AT_ONCE) {
    await Promise.all(tasks.slice(from, from + AT_ONCE).map(submit));
  }
}

/** Resolves once every poll was answered, each with nothing. */
async function poll(nexus: StdioServer, waitMs: number): Promise<void> {
  const polls = Array.from({ length: POLLERS }, (_, at) =>
    nexus.request('tools/call', { name: 'poll_task', arguments: { worker: `worker-${at}`, waitMs } }),
  );
  for (const { isError, structuredContent } of await Promise.all(polls)) {
    const { task } = structuredContent as { task: unknown };
    if (isError || task !== null) throw new Error('a poll failed, or got a task that is nobody’s');
  }
}

/** What the process has used so far, of all its threads. */
function cpuSeconds({ pid }: StdioServer): number {
  // The name, in brackets, may hold anything.
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[^)]*$)/);
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) / TICKS;
}
