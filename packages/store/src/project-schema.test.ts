import type { Log, Migration } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { poolerWithoutOptions } from '../test/pooler.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../test/postgres-server.ts';
import { createStore, findUnscoped, type OpenStore, takeOver } from './index.ts';

const binaries = findPostgres();
const notes: Migration = {
  name: '0001-notes',
  up: (db) => db.schema.createTable('notes_entries').addColumn('text', 'text').execute(),
};
interface Tables {
  notes_entries: { text: string };
}

describe.skipIf(!binaries)('projects on one Postgres', () => {
  let server: PostgresServer;
  let databaseUrl: string;
  const opened: OpenStore[] = [];
  const store = (projectId: string, more: { formerId?: string; log?: Log; url?: string } = {}) => {
    const made = createStore({ projectId, dataDir: '', databaseUrl: more.url ?? databaseUrl, ...more });
    opened.push(made);
    return made;
  };
  const open = (...project: Parameters<typeof store>) => store(...project).open<Tables>('notes', [notes]);
  const write = async (text: string, ...project: Parameters<typeof store>) => {
    const db = await open(...project);
    await db.insertInto('notes_entries').values({ text }).execute();
  };
  const read = async (...project: Parameters<typeof store>) => {
    const { rows } = await sql<{ text: string }>`select text from notes_entries order by 1`.execute(
      await open(...project),
    );
    return rows.map(({ text }) => text);
  };
  const closeAll = () => Promise.all(opened.splice(0).map((each) => each.close()));
  /** As the version before projects were kept apart left it. */
  async function writeUnscoped(text: string): Promise<void> {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    await client.query(
      'create table nexus_migrations (plugin text, name text, applied_at bigint, primary key (plugin, name))',
    );
    await client.query(`insert into nexus_migrations values ('notes', '0001-notes', 0)`);
    await client.query('create table notes_entries (text text)');
    await client.query('insert into notes_entries values ($1)', [text]);
    await client.end();
  }

  async function admin(query: string): Promise<pg.QueryResult> {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    try {
      return await client.query(query);
    } finally {
      await client.end();
    }
  }

  beforeAll(async () => {
    server = await startPostgres(binaries ?? '');
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    databaseUrl = await server.createSchema();
  });
  afterEach(closeAll);

  it('see nothing of each other, not by raw SQL either', async () => {
    await write('of a', 'host/acme/a');
    await write('of b', 'host/acme/b');
    expect(await read('host/acme/a')).toEqual(['of a']);
    expect(await read('host/acme/b')).toEqual(['of b']);
  });

  it('of one id are one, from wherever they come', async () => {
    await Promise.all([
      write('one', 'host/acme/a'),
      write('two', 'host/acme/a'),
      write('three', 'host/acme/a'),
    ]);
    expect(await read('host/acme/a')).toEqual(['one', 'three', 'two']);
  });

  it('hear and hold nothing of each other', async () => {
    const [a, b, same] = [store('host/a'), store('host/b'), store('host/a')];
    const heard: string[] = [];
    const all = new Promise<void>((resolve) => {
      void same.listen('work', (text) => {
        heard.push(`same ${text}`);
        resolve();
      });
    });
    await b.listen('work', (text) => heard.push(`b ${text}`));
    await same.listen('ready', () => {});
    expect(await a.hold('me')).toBeDefined();
    expect([await b.isHeld('me'), await same.isHeld('me')]).toEqual([false, true]);
    expect(await same.hold('me')).toBeUndefined();
    expect(await b.hold('me')).toBeDefined();
    await a.notify('work', 'from a');
    await all;
    expect(heard).toEqual(['same from a']);
  });

  it('may not be entered through a pooler that drops the search path', async () => {
    await write('of a', 'host/a');
    const dropping = await poolerWithoutOptions(databaseUrl);
    try {
      await expect(open('host/b', { url: dropping.url })).rejects.toMatchObject({
        code: 'NEXUS_STORE_UNAVAILABLE',
        message: expect.stringContaining('search_path'),
      });
    } finally {
      dropping.stop();
    }
  });

  describe('a project that gets a remote', () => {
    it('keeps its tables', async () => {
      await write('before', 'made-1');
      await closeAll();
      expect(await read('host/acme/a', { formerId: 'made-1' })).toEqual(['before']);
    });

    it('joins what the remote has already, and leaves its own where they are', async () => {
      await write('mine', 'made-1');
      await write('team', 'host/acme/a');
      await closeAll();
      expect(await read('host/acme/a', { formerId: 'made-1' })).toEqual(['team']);
      expect(await read('made-1')).toEqual(['mine']);
    });
  });

  describe('rows from before', () => {
    const warnings: unknown[] = [];
    const quiet = () => {};
    const log: Log = {
      debug: quiet,
      info: quiet,
      warn: (_text, fields) => warnings.push(fields),
      error: quiet,
    };

    it('are nobody’s until someone says whose, and a first start says that they are there', async () => {
      await writeUnscoped('from before');
      expect(await read('host/a', { log })).toEqual([]);
      expect(warnings).toEqual([expect.objectContaining({ project: 'host/a', rows: { notes_entries: 1 } })]);
      expect(await findUnscoped({ databaseUrl, projectId: 'host/a' })).toMatchObject({
        rows: [['notes_entries', 1]],
        owner: undefined,
      });
    });

    it('become one project’s by its word, and no other’s', async () => {
      await writeUnscoped('from before');
      await takeOver({ databaseUrl, projectId: 'host/a' }, { setAside: false });
      expect(await read('host/a')).toEqual(['from before']);
      expect(await read('host/b')).toEqual([]);
      await expect(takeOver({ databaseUrl, projectId: 'host/b' }, { setAside: false })).rejects.toMatchObject(
        { code: 'NEXUS_CONFLICT', message: expect.stringContaining('host/a') },
      );
    });

    it('stay where they are, so that a server of the version before goes on with them', async () => {
      await writeUnscoped('from before');
      await takeOver({ databaseUrl, projectId: 'host/a' }, { setAside: false });
      await write('of this version', 'host/a');
      const before = new pg.Client(databaseUrl); // which knows of no project
      await before.connect();
      await before.query(`insert into notes_entries values ('of the version before')`);
      const { rows } = await before.query('select text from notes_entries order by 1');
      await before.end();
      const all = ['from before', 'of the version before', 'of this version'];
      expect(rows.map(({ text }) => text)).toEqual(all);
      expect(await read('host/a')).toEqual(all);
    });

    it('are taken over right after the project’s servers have ended, whose connections may end a little later', async () => {
      await writeUnscoped('from before');
      await write('newer', 'host/a');
      const { rows } = await admin(`select distinct application_name as name from pg_stat_activity
        where application_name like 'nexus\\_a\\_%'`);
      await closeAll();
      const ending = new pg.Client(databaseUrl);
      await ending.connect();
      await ending.query(`set application_name = '${rows.map(({ name }) => name).join()}'`);
      const took = takeOver({ databaseUrl, projectId: 'host/a' }, { setAside: true });
      const looks = "query like 'select 1 from pg\\_stat\\_activity where application\\_name = %'";
      await expect
        .poll(async () => (await admin(`select 1 from pg_stat_activity where ${looks}`)).rowCount)
        .toBe(1);
      await ending.end();
      expect((await took).setAside).toEqual([['notes_entries', 1]]);
    });

    it('are not taken over while the project’s servers run, nor over rows of its own unless they are set aside', async () => {
      await writeUnscoped('from before');
      await write('newer', 'host/a');
      const word = (setAside: boolean) => takeOver({ databaseUrl, projectId: 'host/a' }, { setAside });
      await expect(word(true)).rejects.toMatchObject({ message: expect.stringContaining('nexus stop') });
      await closeAll();
      await expect(word(false)).rejects.toMatchObject({ message: expect.stringContaining('--set-aside') });
      expect((await word(true)).setAside).toEqual([['notes_entries', 1]]);
      expect(await read('host/a')).toEqual(['from before']);
    });
  });
});
