import { expect, it } from 'vitest';
import { programEnvironment } from './program-environment.ts';

it('gives a program the places, what is named beside them, and nothing else', () => {
  const from = {
    PATH: '/bin',
    HOME: '/home',
    API_KEY: 'x',
    NAMED: 'y',
    NODE_OPTIONS: '-r x',
    ABSENT: undefined,
  };
  expect(programEnvironment(['NAMED', 'ABSENT'], from)).toEqual({ PATH: '/bin', HOME: '/home', NAMED: 'y' });
});

it('hands on no shell function', () => {
  expect(programEnvironment(['NAMED'], { NAMED: '() { :; }; echo', HOME: '() { :; }' })).toEqual({});
});
