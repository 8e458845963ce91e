import { describe, expect, it } from 'vitest';
import { ID_SORTS, idMeant, otherSort } from './written-id.ts';

const ids = ['task_ddba40c21755dfc2', 'task_ddbb000000000000', 'task_1234567800000000'];
const meant = (written: string, all = ids) => idMeant(written, all, ID_SORTS.task);

describe('an id as somebody wrote it', () => {
  it.each([
    ['task_ddba', ids[0]],
    ['ddba', ids[0]],
    ['DDBA40c2…', ids[0]],
    ['1234...', ids[2]],
    [ids[1] ?? '', ids[1]],
    ['nexus://tasks/task_ddba40c2', ids[0]],
    [`nexus://tasks/${ids[2]}/whole`, ids[2]],
  ])('means the one that alone begins so: %s', (written, id) => {
    expect(meant(written)).toEqual({ id });
    expect(meant(String(id), [...ids, `${id}00`])).toEqual({ id });
  });

  it.each([
    ['', 'nothing', 'No id of a task was written. `nexus tasks` lists them.'],
    ['…', 'nothing', 'No id of a task was written.'],
    ['task_', 'nothing', 'task_ is what the id of every task begins with: at least 4 characters after task_'],
    ['Task', 'nothing', 'Task is what the id of every task begins with'],
    ['task_ddb', 'little', 'task_ddb is too little to name a task: at least 4 characters of its id'],
    ['fee', 'little', 'fee is too little to name a task'],
    ['feed', 'none', 'No task feed: it never was, or its time on record is over. `nexus tasks` lists them.'],
    [
      'run_ddba40c2',
      'other',
      'run_ddba40c2 is the id of a run, and not of a task: `nexus runs run_ddba40c2` shows it.',
    ],
    [
      'nexus://votes/ddba40c2',
      'other',
      'ddba40c2 is the id of a vote, and not of a task: `nexus votes ddba40c2` shows it.',
    ],
  ])('is told what is wrong with it: "%s"', (written, why, fault) => {
    expect(meant(written)).toEqual({ why, fault: expect.stringContaining(fault) });
  });

  it('names those that it may mean, a few of many', () => {
    const many = Array.from({ length: 7 }, (_, at) => `task_ddba00000000000${at}`);
    expect(meant('ddba', many)).toEqual({
      why: 'several',
      fault: `Several tasks begin with ddba: ${many.slice(0, 5).join(', ')} and 2 more. Write more of the id.`,
    });
  });

  it('has no beginning to leave out where its sort has none', () => {
    expect(idMeant('', ['5b0c1d2e'], ID_SORTS.vote)).toMatchObject({ why: 'nothing' });
    expect(idMeant('5b0c', ['5b0c1d2e'], ID_SORTS.vote)).toEqual({ id: '5b0c1d2e' });
    expect(idMeant('ffff', ['5b0c1d2e'], ID_SORTS.vote)).toMatchObject({
      fault: expect.stringContaining('older than those that are listed'),
    });
  });
});

describe('an id of another sort', () => {
  it.each([
    [
      'run_ddba40c2',
      ID_SORTS.job,
      'run_ddba40c2 is the id of a run, and not of a job: read_result with uri "nexus://runs/run_ddba40c2" reads it, `nexus runs run_ddba40c2` shows it to people.',
    ],
    [
      'task_1',
      ID_SORTS.job,
      'task_1 is the id of a task, and not of a job: task_status with taskId "task_1" reads it',
    ],
    [
      'job_1',
      ID_SORTS.task,
      'job_1 is the id of a job, and not of a task: get_job_result with jobId "job_1" reads it',
    ],
    [
      'nexus://votes/5b0c',
      ID_SORTS.run,
      '5b0c is the id of a vote, and not of a run: read_result with uri "nexus://votes/5b0c" reads it',
    ],
    ['nexus://runs/run_1/steps/a', ID_SORTS.task, 'run_1 is the id of a run, and not of a task'],
    [`task_${'$&'.repeat(200)}`, ID_SORTS.run, `task_${'$&'.repeat(200)}`.slice(0, 100)],
  ])('is told what it is, and what reads it: %s', (written, sort, said) => {
    expect(otherSort(written, sort)).toContain(said);
  });

  it.each(['job_1', 'nothing', '', '5b0c1d2e'])('is none that does not say so: "%s"', (written) => {
    expect(otherSort(written, ID_SORTS.job)).toBeUndefined();
  });
});
