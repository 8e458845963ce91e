import { expect, it } from 'vitest';
import { isWanted, runMeant } from './log-filter.ts';

const record = { level: 40, msg: 'm', server: 'github', runId: 'run_0f12ab34', requestId: 7 };

it.each([
  [{}, true],
  [{ server: 'github' }, true],
  [{ server: 'git' }, false],
  [{ run: 'run_0f12' }, true],
  [{ run: '0f12ab' }, true],
  [{ run: 'ffff' }, false],
  [{ call: '7' }, true],
  [{ call: '8' }, false],
  [{ least: 40 }, true],
  [{ least: 50 }, false],
  [{ server: 'github', run: 'ffff' }, false],
])('a record is shown where all that is asked for fits: %j', (filter, isShown) => {
  expect(isWanted(record, filter)).toBe(isShown);
});

it.each([
  ['run_0f12', { id: 'run_0f12ab34' }],
  ['0f12', { id: 'run_0f12ab34' }],
  ['job_0f12', { id: 'job_0f12cd56' }],
  ['9999', { id: 'job_99990000' }],
  ['ffff', { id: 'ffff' }],
  ['', { why: 'nothing' }],
  ['run_', { why: 'nothing' }],
  ['job_', { why: 'nothing' }],
  ['run_0', { why: 'little' }],
  ['run_aaaa', { why: 'several', fault: expect.stringContaining('run_aaaa1111, run_aaaa2222') }],
])('a run that is asked for as "%s" is %j', (written, meant) => {
  const records = [
    { runId: 'run_0f12ab34', job: 'job_0f12cd56' },
    { jobId: 'job_99990000', id: 7 },
    { run: 'run_aaaa1111' },
    { rootId: 'run_aaaa2222' },
  ];
  expect(runMeant(written, records)).toMatchObject(meant);
});
