import { setTimeout as sleep } from 'node:timers/promises';
import type { Measure } from '../figure.ts';
import { inRehearsal } from '../rehearsal.ts';
import type { StdioServer } from '../servers.ts';
import { interleave, median } from '../statistics.ts';
import { makeScratch, withNoop } from '../subjects.ts';
import { timedCall } from '../timed-call.ts';

const WARM_UP = inRehearsal(1, 500);
const CALLS = inRehearsal(1, 3000);
const STARTS = inRehearsal(1, 21);
/** Long enough for a new process to be done with what it does at start. */
const SETTLE_MS = inRehearsal(1, 1500);

export const sharing: Measure = {
  name: 'sharing',
  method: `A no-op call through a bridging process beside the same call on the owner's own stdio, and beside one that carries bytes to the owner's socket and reads none of them (the floor), ${CALLS} in turn after ${WARM_UP} to warm up. Start of a bridge to its first answered ping beside a bare SDK server's, ${STARTS} in turn. Resident memory of a fresh bridge beside a Node.js that only reads its stdin. Medians.`,
  async run() {
    using scratch = makeScratch(withNoop);
    const owner = await scratch.startShared();
    const bridge = await scratch.startShared();
    const pipe = await scratch.startPipe();
    const idleNode = await scratch.startIdleNode();
    try {
      await sleep(SETTLE_MS);
      const memory = { bridge: bridge.rssMb(), node: idleNode.rssMb() };
      const calls = { owner: timedCall(owner), bridge: timedCall(bridge), pipe: timedCall(pipe) };
      await interleave(calls, WARM_UP);
      const called = await interleave(calls, CALLS);
      const started = await interleave(
        { bridge: timedStart(scratch.startShared), bare: timedStart(scratch.startBare) },
        STARTS,
      );
      const bridgedMs = median(called.bridge);
      const ownedMs = median(called.owner);
      return [
        {
          what: 'No-op call through a bridge',
          unit: 'ms',
          nexus: bridgedMs,
          against: { name: 'on the owner’s stdio', value: ownedMs },
          target: { of: 'ratio', atMost: 1.4 },
          floors: [{ name: 'a pipe to the owner', value: median(called.pipe) }],
        },
        {
          what: 'What the bridge adds to a call',
          unit: 'ms',
          nexus: Math.max(0, bridgedMs - ownedMs),
          target: { of: 'value', atMost: 0.15 },
        },
        {
          what: 'Start of a bridge',
          unit: 'ms',
          nexus: median(started.bridge),
          against: { name: 'bare SDK server', value: median(started.bare) },
          target: { of: 'ratio', atMost: 0.5 },
        },
        {
          what: 'Resident memory of a bridge',
          unit: 'MB',
          nexus: memory.bridge,
          against: { name: 'idle node', value: memory.node },
          target: { of: 'ratio', atMost: 1.15 },
        },
      ];
    } finally {
      await Promise.all([bridge.stop(), pipe.stop(), idleNode.stop()]);
      await owner.stop();
    }
  },
};

function timedStart(start: () => Promise<StdioServer>) {
  return async () => {
    const startedAt = performance.now();
    const server = await start();
    await server.request('ping');
    const tookMs = performance.now() - startedAt;
    await server.stop();
    return tookMs;
  };
}
