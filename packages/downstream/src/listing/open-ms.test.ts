import { expect, it } from 'vitest';
import { downloader, openMs } from './open-ms.ts';

it.each([
  ['npx', ['-y', '@a/server'], 'npx'],
  ['C:\\Program Files\\nodejs\\npx.cmd', [], 'npx'],
  ['/usr/bin/uvx', ['server'], 'uvx'],
  ['pnpm', ['dlx', 'server'], 'pnpm dlx'],
  ['pnpm', ['start'], undefined],
  ['node', ['npx.js'], undefined],
  ['constructor', [], undefined],
])('knows what may be downloaded first: %s %j', (command, args, by) => {
  const settings = { transport: 'stdio', command, args };
  expect(downloader(settings)).toBe(by);
  expect(openMs(settings, 30_000)).toBe(by === undefined ? 30_000 : 110_000);
  expect(openMs(settings, 200_000)).toBe(200_000);
});

it('waits no longer for a server that is elsewhere', () => {
  expect(openMs({ transport: 'http' }, 30_000)).toBe(30_000);
});
