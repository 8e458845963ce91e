import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStore, type OpenStore } from '@nexus/store';
import { findPostgres, type PostgresServer, startPostgres } from '@nexus/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dueTimes } from './due-times.ts';
import { openSchedules } from './schedule-record.ts';
import { beginDue, type ScheduledWorkflow } from './scheduler.ts';

const at = (time: string) => Date.parse(`2027-01-04T${time}Z`);
const daily = { cron: '0 7 * * *', timezone: 'UTC', inputs: {}, catchUp: false };
const FILE = '.nexus/workflows/nightly.yaml';

describe('the times of a schedule', () => {
  it('are due once they have come, and only the newest is run', () => {
    expect(dueTimes(daily, at('06:00:00'), at('06:59:59'))).toEqual({
      slot: undefined,
      isToRun: false,
      missed: 0,
      next: at('07:00:00'),
    });
    expect(dueTimes(daily, at('06:00:00'), at('07:00:10'))).toEqual({
      slot: at('07:00:00'),
      isToRun: true,
      missed: 0,
      next: at('07:00:00') + 86_400_000,
    });
    const minutely = { ...daily, cron: '* * * * *' };
    expect(dueTimes(minutely, at('07:00:00'), at('07:03:10'))).toMatchObject({
      slot: at('07:03:00'),
      isToRun: true,
      missed: 2,
    });
  });

  it('that nobody was there for are missed, or made up for by one run', () => {
    const day = 86_400_000;
    const since = at('07:00:00');
    const now = at('12:00:00') + 2 * day;
    const due = { slot: since + 2 * day, next: since + 3 * day };
    expect(dueTimes(daily, since, now)).toEqual({ ...due, isToRun: false, missed: 2 });
    expect(dueTimes({ ...daily, catchUp: true }, since, now)).toEqual({ ...due, isToRun: true, missed: 0 });
  });

  it('are those of their own zone, through its change of the clock', () => {
    const berlin = { ...daily, timezone: 'Europe/Berlin' };
    const before = Date.parse('2027-03-27T12:00:00Z');
    const { next = 0 } = dueTimes(berlin, before, before);
    expect(new Date(next).toISOString()).toBe('2027-03-28T05:00:00.000Z');
    const winter = Date.parse('2027-01-04T00:00:00Z');
    expect(dueTimes(berlin, winter, winter).next).toBe(at('06:00:00'));
  });

  it('of years of minutes are told without counting them all', () => {
    const minutely = { ...daily, cron: '* * * * *' };
    const due = dueTimes(minutely, at('07:00:00') - 2 * 365 * 86_400_000, at('07:00:30'));
    expect(due).toMatchObject({ slot: at('07:00:00'), isToRun: true, next: at('07:01:00') });
    expect(due.missed).toBe(999);
  });
});

const binaries = findPostgres();
let postgres: PostgresServer | undefined;
beforeAll(async () => {
  postgres = binaries === undefined ? undefined : await startPostgres(binaries);
});
afterAll(() => postgres?.stop());

describe.each(binaries === undefined ? ['SQLite'] : ['SQLite', 'Postgres'])(
  'schedules of two servers on %s',
  (name) => {
    let clock = at('06:00:00');
    let dataDir: string;
    let stores: OpenStore[] = [];
    const started: string[] = [];
    const said: unknown[] = [];
    let isDown = false;

    beforeEach(async () => {
      dataDir = mkdtempSync(join(tmpdir(), 'nexus-schedules-'));
      const databaseUrl = name === 'Postgres' ? await postgres?.createSchema() : undefined;
      const location = { projectId: 'schedules', dataDir, databaseUrl, testClock: () => clock };
      stores = [createStore(location), createStore(location)];
      clock = at('06:00:00');
      started.length = 0;
      said.length = 0;
    });
    afterEach(async () => {
      await Promise.all(stores.map((store) => store.close()));
      rmSync(dataDir, { recursive: true });
    });

    const look = (
      server: number,
      workflow: Partial<ScheduledWorkflow> = {},
      trusted = [{ file: FILE, digest: 'one' }],
    ) =>
      beginDue({
        store: stores[server] as OpenStore,
        log: { debug() {}, info() {}, error() {}, warn: (_, fields) => void said.push(fields) },
        trusted,
        list: async () => [{ file: FILE, digest: 'one', kind: 'workflow', schedule: daily, ...workflow }],
        async start(_, key) {
          if (isDown) throw new Error('it died');
          started.push(key);
        },
      });
    const row = async () =>
      (await openSchedules(stores[0] as OpenStore)).selectFrom('schedules_slots').selectAll().execute();

    it('begin each time once, whoever looks, and nothing that was before they were seen', async () => {
      expect(await look(0)).toBe(30_000);
      clock = at('06:59:50');
      expect(await look(1)).toBe(10_050);
      expect(started).toEqual([]);
      clock = at('07:00:00');
      await Promise.all([look(0), look(1), look(0), look(1)]);
      expect(new Set(started).size).toBe(1);
      const [key] = started;
      expect(key).toMatch(/2027-01-04T07:00:00.000Z$/);
      const before = started.length;
      await Promise.all([look(0), look(1)]);
      expect(started).toHaveLength(before);
      clock += 86_400_000;
      await look(1);
      expect(new Set(started).size).toBe(2);
    });

    it('leave the time of a server that dies at it to the next', async () => {
      await look(0);
      clock = at('07:00:01');
      isDown = true;
      await expect(look(0)).rejects.toThrow('it died');
      isDown = false;
      await look(1);
      expect(started).toHaveLength(1);
    });

    it('say what was missed, once over all', async () => {
      await look(0);
      clock = at('12:00:00') + 2 * 86_400_000;
      await Promise.all([look(0), look(1)]);
      expect(started).toEqual([]);
      expect(said).toEqual([{ file: FILE, missed: 3, last: '2027-01-06T07:00:00.000Z' }]);
      expect(await row()).toMatchObject([{ file: FILE, missed: 3, run_at: null }]);
    });

    it('make up for it by one run, where the file says so', async () => {
      const schedule = { ...daily, catchUp: true };
      await look(0, { schedule });
      clock = at('12:00:00') + 2 * 86_400_000;
      await Promise.all([look(0, { schedule }), look(1, { schedule })]);
      expect(new Set(started).size).toBe(1);
      expect(said).toEqual([]);
    });

    it('begin nothing of a file that is not trusted', async () => {
      await look(0);
      clock = at('07:00:01');
      await look(0, {}, []);
      expect(started).toEqual([]);
      // Changed between the two readings.
      await look(0, { digest: 'other' });
      expect(started).toEqual([]);
      await look(0);
      expect(started).toHaveLength(1);
    });
  },
);
