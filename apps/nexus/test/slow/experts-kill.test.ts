import { afterAll, describe, it } from 'vitest';
import { type KillInput, killWhile, MAY_NOTE, MOMENTS, nameOf } from '../harness/expert-kill.ts';
import { rowsOf } from '../harness/run-record.ts';
import { shareProject } from '../harness/shared-project.ts';
import { reportTakeOvers } from '../harness/take-overs.ts';

const moments = MOMENTS.map((moment) => ({ moment, name: nameOf(moment) }));
const resumed: KillInput['ask'] = ({ session }, runId) => session.call('resume_run', { runId });

describe('orchestrations on SQLite', () => {
  const onSqlite: Omit<KillInput, 'moment' | 'isBridge'> = {
    project: ({ env }) => shareProject({ slowPlugin: true, config: MAY_NOTE, env }),
    read: rowsOf,
    next: (project) => project.host(),
    ask: resumed,
  };
  const tookMs: number[] = [];
  afterAll(() => reportTakeOvers('a bridge', tookMs));

  it.each(moments)('go on at a bridge after a kill while $name', async ({ moment }) => {
    tookMs.push(await killWhile({ ...onSqlite, moment, isBridge: true }));
  });

  it.each(moments)('go on at a server that is started then, after a kill while $name', async ({ moment }) => {
    await killWhile({ ...onSqlite, moment, isBridge: false });
  });
});
