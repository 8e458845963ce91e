import { describe, expect, it } from 'vitest';
import { idByPrefix, shortId, shownId } from './short-id.ts';

describe('a short id', () => {
  it.each([
    ['run_0123456789abcdef0123456789abcdef', 'run_01234567'],
    ['task_ddba40c21755dfc2', 'task_ddba40c2'],
    ['5b0c1d2e-aaaa-4bbb-8ccc-0123456789ab', '5b0c1d2e'],
    ['reviewer', 'reviewer'],
  ])('of %s is %s', (id, short) => expect(shortId(id)).toBe(short));

  it('is for people: a program gets what tools take', () => {
    const id = 'run_0123456789abcdef0123456789abcdef';
    expect([shownId(id, true), shownId(id, false)]).toEqual(['run_01234567', id]);
  });

  const ids = ['task_ddba40c21755dfc2', 'task_ddbb000000000000', 'task_1234567800000000'];

  it.each([
    ['task_ddba', ids[0]],
    ['ddba', ids[0]],
    ['DDBA40c2…', ids[0]],
    ['1234', ids[2]],
    [ids[1] ?? '', ids[1]],
  ])('or any other beginning that means one alone names it: %s', (written, id) => {
    expect(idByPrefix(written, ids)).toBe(id);
    expect(idByPrefix(String(id), [...ids, `${id}00`])).toBe(id);
  });

  it('names none where it means several, or nothing, or is too short', () => {
    for (const written of ['task_ddb', 'dd'])
      expect(() => idByPrefix(written, ids)).toThrow(
        `${written} is too little of an id: at least 4 characters of it are needed`,
      );
    for (const written of ['fee', 'feed', '']) expect(idByPrefix(written, ids)).toBeUndefined();
    expect(() => idByPrefix('ddba', [...ids, 'task_ddba999999999999'])).toThrow(
      'several begin with ddba: task_ddba40c21755dfc2, task_ddba999999999999; write more of the id',
    );
  });
});
