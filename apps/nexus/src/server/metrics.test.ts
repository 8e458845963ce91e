import { expect, it } from 'vitest';
import type { Nexus } from '../boot/boot.ts';
import { createMetrics } from './metrics.ts';

it('says of how many runs what is spent is told, and how many there are', async () => {
  const asked: { status: string; limit: number }[] = [];
  const runs = {
    async list(wanted: { status: string; limit: number }) {
      asked.push(wanted);
      const budget = { spent: { tokens: 2, costUsd: 0.5 } };
      return { runs: Array.from({ length: wanted.limit }, () => ({ budget })), total: 250 };
    },
  };
  const nexus = {
    sessions: new Set(),
    downstreams: { status: () => [] },
    tracing: { add() {} },
    onCall() {},
    engine: { runs },
  } as unknown as Nexus; // all that is asked of it
  const { text } = await createMetrics(nexus, () => ({ sessions: 0, inFlight: 0, streams: 0 })).render();
  expect(asked.map(({ limit }) => limit)).toEqual([200, 200, 200, 200]);
  expect(text).toContain('in tokens and US dollars, of the newest 200 of each status.');
  expect(text).toContain('nexus_runs{status="queued"} 250\n');
  expect(text).toContain('nexus_budget_spent{unit="tokens"} 1600\n');
});
