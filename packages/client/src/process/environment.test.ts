import { expect, it } from 'vitest';
import { serverEnvironment } from './environment.ts';

it('gives a server the few variables of the list, and its own over them', () => {
  const inherited = { PATH: '/bin', AWS_SECRET_ACCESS_KEY: 'x', NEXUS_DATA_DIR: '/data', TERM: 'vt100' };
  expect(serverEnvironment({ OWN: '1', PATH: '/own' }, inherited)).toEqual({
    OWN: '1',
    PATH: '/own',
    ...(process.platform === 'win32' ? {} : { TERM: 'vt100' }),
  });
});

it('hands on no shell function', () => {
  expect(serverEnvironment({}, { PATH: '() { :; }; echo' })).toEqual({});
});
