import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '@nexus/plugin-sdk';
import { expect, it, onTestFinished, vi } from 'vitest';
import { loadConfig } from '../loaded-config/load-config.ts';
import { projectStore } from '../project/project-store.ts';
import { openSchedules } from '../schedules/schedule-record.ts';
import { database } from './database.ts';
import { schedules } from './schedules.ts';

const HOUR_MS = 3_600_000;

/** A project of its own whose record is filled by `fill`. */
async function projectWith(fill: (store: Store) => Promise<unknown>) {
  const base = mkdtempSync(join(tmpdir(), 'nexus-record-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const config = join(base, 'nexus.config.json');
  writeFileSync(config, '{}');
  const data = join(base, 'data');
  mkdirSync(data);
  vi.stubEnv('NEXUS_DATA_DIR', data);
  vi.stubEnv('NEXUS_DATABASE_URL', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  const store = projectStore(await loadConfig({ config }));
  await fill(store);
  await store.close();
  return { config, connect: false };
}

const slot = (file: string, missed: number, missedAgoMs: number | null) => {
  const missed_at = missedAgoMs === null ? null : Date.now() - missedAgoMs;
  return { file, slot: Date.now() - 3 * HOUR_MS, run_at: null, missed, missed_at };
};

it('the doctor says which times of schedules nobody was there for, while that is new', async () => {
  const none = await projectWith(async () => {});
  expect(await schedules.run(none)).toEqual({ status: 'ok', saw: expect.stringContaining('no time') });
  const source = await projectWith(async (store) => {
    const db = await openSchedules(store);
    const rows = [
      slot('a.yaml', 0, null),
      slot('b.yaml', 3, 2 * HOUR_MS),
      slot('c.yaml', 1, 8 * 24 * HOUR_MS),
    ];
    await db.insertInto('schedules_slots').values(rows).execute();
  });
  expect(await schedules.run(source)).toEqual({
    status: 'warning',
    saw: expect.stringMatching(
      /^b\.yaml: 3 times came while no server was there, the last found 2 ?h\w* ago$/,
    ),
    fix: expect.stringContaining('catchUp: true'),
  });
});

it('the doctor says how large the record is, what holds most of it, and how old that is', async () => {
  const source = await projectWith(async (store) => {
    const db = await openSchedules(store);
    await db
      .insertInto('schedules_slots')
      .values([slot('a', 0, null), slot('b', 0, null)])
      .execute();
  });
  const { status, saw } = await database.run(source);
  expect(status).toBe('ok');
  expect(saw).toMatch(/^\d+ KB[\s\S]*schedules_slots: 2 rows, the oldest 3 ?h\w* old/);
});
