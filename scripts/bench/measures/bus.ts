import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, longestStretch } from '../cpu.ts';
import type { Measure } from '../figure.ts';
import { inRehearsal } from '../rehearsal.ts';
import type { StdioServer } from '../servers.ts';
import { median } from '../statistics.ts';
import { makeScratch, withNoop } from '../subjects.ts';

const NOBODYS = inRehearsal(1, 15_000);
const OTHERS = inRehearsal(1, 5_000);
const POLLERS = inRehearsal(1, 32);
const AT_ONCE = 64;
const ROUNDS = inRehearsal(1, 9);
const ROUND_MS = inRehearsal(100, 1_000);
const SETTLE_MS = inRehearsal(100, 3_000);
const IDLE_MS = inRehearsal(100, 20_000);

export const bus: Measure = {
  name: 'bus',
  method: `A server with ${NOBODYS + OTHERS} tasks on its bus, of which ${NOBODYS} need what no worker has and the others wait for one of those, and ${POLLERS} polls that wait for a task: its share of a core over ${IDLE_MS / 1000} s, from ${SETTLE_MS / 1000} s after they began. While ${POLLERS} polls of ${ROUND_MS / 1000} s begin, wait and end, no-op calls, one after the other: the most that the server's thread worked between two answers to them; median of ${ROUNDS} rounds. Linux only.`,
  async run() {
    if (!existsSync('/proc/self/stat')) return [];
    using scratch = makeScratch(withNoop);
    const nexus = await scratch.startNexus();
    try {
      await fill(nexus);
      const stretches: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        stretches.push(await longestStretch(nexus, () => poll(nexus, ROUND_MS), callNoop));
      }
      const waiting = poll(nexus, SETTLE_MS + IDLE_MS + 5_000);
      await sleep(SETTLE_MS);
      const from = performance.now();
      const usedMs = await cpuOf(nexus.pid, () => sleep(IDLE_MS));
      const share = usedMs / (performance.now() - from);
      await waiting;
      return [
        {
          what: `A core’s share of ${POLLERS} polls that wait beside ${(NOBODYS + OTHERS).toLocaleString('en')} tasks of others`,
          unit: 'share',
          nexus: share,
          target: { of: 'value', atMost: 0.02 },
        },
        {
          what: 'The longest that another call waits for the server’s thread beside such polls',
          unit: 'ms',
          nexus: median(stretches),
          target: { of: 'value', atMost: 20 },
        },
      ];
    } finally {
      await nexus.stop();
    }
  },
};

const callNoop = (nexus: StdioServer) => nexus.request('tools/call', { name: 'noop', arguments: {} });

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
