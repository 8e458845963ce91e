import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { statementCache } from './statement-cache.ts';

const folder = mkdtempSync(join(tmpdir(), 'nexus-statements-'));
let database: Database.Database;
beforeEach(() => {
  database = new Database(join(folder, `${crypto.randomUUID()}.sqlite`));
  database.exec('create table t (id integer primary key, text text)');
});
afterEach(() => {
  database.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('prepares a text once, and tells whether it reads', () => {
  const statements = statementCache(database);
  const insert = statements.get('insert into t values (?, ?)');
  expect(insert.isReader).toBe(false);
  for (let id = 0; id < 250; id += 1) insert.statement.run([id, 'x']);
  const all = statements.get('select * from t where id < ?');
  expect(all.isReader).toBe(true);
  expect(statements.get('select * from t where id < ?')).toBe(all);
  // As often as one likes, with other parameters each time.
  expect([100, 1, 0, 200].map((below) => all.statement.all([below]).length)).toEqual([100, 1, 0, 200]);
});

it('answers by the tables as they are now', () => {
  const statements = statementCache(database);
  database.exec(`insert into t values (1, 'x')`);
  expect(statements.get('select * from t').statement.all()).toEqual([{ id: 1, text: 'x' }]);
  database.exec('alter table t add column more text');
  database.exec(`update t set more = 'y'`);
  expect(statements.get('select * from t').statement.all()).toEqual([{ id: 1, text: 'x', more: 'y' }]);
});

it('forgets what it is told to, and what was not asked for the longest', () => {
  const statements = statementCache(database);
  const first = statements.get('select 1');
  statements.forget('select 1');
  expect(statements.get('select 1')).not.toBe(first);
  const kept = statements.get('select 2');
  const old = statements.get('select 3');
  for (let at = 0; at < 299; at += 1) {
    statements.get(`select ${at} as other`);
    statements.get('select 2');
  }
  expect(statements.get('select 2')).toBe(kept);
  expect(statements.get('select 3')).not.toBe(old);
});
