import { ID_SORTS } from '@nexus/primitives';
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

  it('is the beginning of a whole one, which it means; what it does not mean is an error with the way on', () => {
    const ids = ['task_ddba40c21755dfc2', 'task_ddbb000000000000'];
    expect(idByPrefix('ddba', ids, ID_SORTS.task)).toBe(ids[0]);
    expect(() => idByPrefix('task_', ids, ID_SORTS.task)).toThrow('`nexus tasks` lists them');
    expect(() => idByPrefix('feed', ids, ID_SORTS.task)).toThrow('No task feed');
  });
});
