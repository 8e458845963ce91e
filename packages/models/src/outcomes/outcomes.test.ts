import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStore } from '@nexus/store';
import { findPostgres, startPostgres } from '@nexus/testing';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createOutcomes } from './outcomes.ts';

const quiet = { debug() {}, info() {}, warn: vi.fn(), error() {} };
const binaries = findPostgres();
if (!binaries) console.warn('No Postgres on this machine (initdb, postgres): its tests are skipped.');
const server = binaries ? await startPostgres(binaries) : undefined;
const dataDir = mkdtempSync(join(tmpdir(), 'nexus-outcomes-'));
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const call = (latencyMs: number, outcome = 'ok') => ({
  model: 'p:m',
  provider: 'p',
  category: 'code' as const,
  started_at: Date.now(),
  latency_ms: latencyMs,
  input_tokens: 10,
  output_tokens: 2,
  cached_input_tokens: 0,
  cost_usd: outcome === 'ok' ? 0.5 : null,
  outcome,
  root_id: null as string | null,
});

describe.each([
  ['SQLite', undefined],
  ['Postgres', server?.url],
])('outcomes on %s', (name, databaseUrl) => {
  it.skipIf(name === 'Postgres' && !server)(
    'are numbers by model and category, newest half against the older',
    async () => {
      const store = createStore({ projectId: 'outcomes', dataDir, databaseUrl });
      const recorded = vi.fn();
      const outcomes = createOutcomes({ store, log: quiet, recorded });
      for (let each = 1; each <= 6; each += 1) outcomes.record(call(each * 100, 'NEXUS_MODEL_UNAVAILABLE'));
      for (let each = 1; each <= 6; each += 1) outcomes.record(call(each * 10));
      outcomes.record(call(1, 'NEXUS_CANCELLED'));
      // Before any of it was waited for, and by one write.
      expect(recorded).not.toHaveBeenCalled();
      await outcomes.flush();
      expect(recorded).toHaveBeenCalledTimes(1);
      expect(quiet.warn).not.toHaveBeenCalled();
      expect(await outcomes.read({ category: 'code' })).toEqual([
        {
          model: 'p:m',
          category: 'code',
          runs: 12,
          successes: 6,
          p50LatencyMs: 30,
          p95LatencyMs: 60,
          inputTokens: 130,
          outputTokens: 26,
          costUsd: 3,
          cancelled: 1,
          unpriced: 7,
          trend: 1,
        },
      ]);
      await store.close();
    },
  );

  it.skipIf(name === 'Postgres' && !server)(
    'has how work turned out, once for each piece, by its model or by all that answered in a run',
    async () => {
      const store = createStore({
        projectId: 'judged',
        dataDir: join(dataDir, 'judged'),
        databaseUrl,
      });
      const recorded = vi.fn();
      const outcomes = createOutcomes({ store, log: quiet, recorded });
      outcomes.record(call(1));
      outcomes.record({ ...call(1), root_id: 'run_1' });
      outcomes.record({ ...call(1), model: 'p:other', category: 'speed', root_id: 'run_1' });
      outcomes.record({ ...call(1, 'NEXUS_MODEL_UNAVAILABLE'), model: 'p:silent', root_id: 'run_1' });
      const by = { model: 'p:m', category: 'code' } as const;
      const told = (key: string, isGood: boolean) => outcomes.judge({ key, isGood, source: 'a test', by });
      expect(await told('a', true)).toEqual(['p:m']);
      await told('b', false);
      // The last word counts.
      await told('a', false);
      const of = await outcomes.judge({
        key: 'run_1',
        isGood: true,
        source: 'a test',
        by: { rootId: 'run_1' },
      });
      expect([...of].sort()).toEqual(['p:m', 'p:other']);
      expect(
        await outcomes.judge({ key: 'x', isGood: true, source: 'a test', by: { rootId: 'none' } }),
      ).toEqual([]);
      const judged = (await outcomes.read({})).map((each) => [each.model, each.judged]);
      expect(judged).toEqual([
        ['p:m', { good: 1, bad: 2 }],
        ['p:other', { good: 1, bad: 0 }],
        ['p:silent', undefined],
      ]);
      expect((await outcomes.read({ category: 'speed' }))[0]?.judged).toEqual({ good: 1, bad: 0 });
      await store.close();
    },
  );

  it.skipIf(name === 'Postgres' && !server)('older than ninety days are let go', async () => {
    const store = createStore({ projectId: 'outcomes-old', dataDir: join(dataDir, 'old'), databaseUrl });
    const old = { ...call(1), started_at: Date.now() - 91 * 24 * 3_600_000 };
    const first = createOutcomes({ store, log: quiet, recorded() {} });
    first.record(old);
    await first.flush();
    first.record(old);
    await first.flush();
    const second = createOutcomes({ store, log: quiet, recorded() {} });
    second.record({ ...call(1), category: 'speed' });
    expect((await second.read({})).map(({ category, runs }) => [category, runs])).toEqual([['speed', 1]]);
    await store.close();
  });
});

it('that can’t be written are logged, and cost no answer', async () => {
  const store = createStore({ projectId: 'x', dataDir: '/dev/null/x' });
  const outcomes = createOutcomes({ store, log: quiet, recorded() {} });
  outcomes.record(call(1));
  await outcomes.flush();
  const by = { model: 'p:m', category: 'code' } as const;
  expect(await outcomes.judge({ key: 'a', isGood: true, source: 'a test', by })).toEqual([]);
  expect(quiet.warn).toHaveBeenCalledWith(
    'the outcome of a model call could not be recorded',
    expect.objectContaining({ model: 'p:m' }),
  );
  await store.close().catch(() => {});
});

it('are written by themselves, soon after they came, and by a flush before the store is closed', async () => {
  const store = createStore({ projectId: 'soon', dataDir: join(dataDir, 'soon') });
  const reader = createOutcomes({ store, log: quiet, recorded() {} });
  const runs = async () => (await reader.read({}))[0]?.runs ?? 0;
  const outcomes = createOutcomes({ store, log: quiet, recorded() {} });
  outcomes.record(call(1));
  await expect.poll(runs).toBe(1);
  outcomes.record(call(1));
  outcomes.record(call(1));
  await outcomes.flush();
  expect(await runs()).toBe(3);
  await store.close();
});
