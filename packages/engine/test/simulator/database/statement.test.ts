import { expect, it } from 'vitest';
import { writesOneRow } from './statement.ts';

const steps = { key: ['run_id', 'name'] };

it.each([
  'insert into "runs_steps" ("run_id", "name") values (?, ?)',
  'insert into "runs_steps" ("run_id", "at") values (?, cast(? as integer)) on conflict do nothing',
  'insert into "runs_steps" ("run_id", "at") values (?, (select coalesce(max(at), 0) + 1 from runs_steps where run_id = ?))',
  'update "runs_steps" set "output" = ? where "run_id" = ? and "name" = ?',
  'update "runs_steps" set "output" = ? where "run_id" = ? and "name" = ? and "status" not in (?, ?)',
  'update "runs_steps" set "output" = case when (a or b) then ? end where "run_id" = ? and "name" = ? and ("a" = ? or "b" = ?)',
  'delete from "runs_steps" where "name" = ? and "run_id" = ? and "end_seq" is null',
])('writes one row at most: %s', (sql) => {
  expect(writesOneRow(sql, steps)).toBe(true);
});

it.each([
  'insert into "runs_steps" ("run_id", "name") values (?, ?), (?, ?)',
  'insert into "runs_steps" ("run_id", "name") select "id", ? from "runs_runs"',
  'insert into "runs_steps" ("run_id", "name") select "id", (select 1 from runs_runs where id in (?)) from "runs_runs" where id in (select id from (values (?), (?)))',
  'update "runs_steps" set "output" = ? where "run_id" = ?',
  'update "runs_steps" set "output" = ? where ("run_id" = ? and "name" = ?) or "status" in (?)',
  'update "runs_steps" set "output" = ? where "run_id" = ? and "name" != ?',
  'update "runs_steps" set "output" = ? where "run_id" = ? and "name" = ? or "name" = ?',
  'update "runs_steps" set "output" = ? where "run_id" = ? and "name" in (?, ?)',
  'update "runs_steps" set "output" = ? where exists (select 1 from runs_runs where "run_id" = ? and "name" = ?)',
  'delete from "runs_steps"',
])('may write several: %s', (sql) => {
  expect(writesOneRow(sql, steps)).toBe(false);
});
