import { join } from 'node:path';
import { isAlive } from '@nexus/processes';
import { scopeOf } from '@nexus/testing';
import { describe, expect, it, vi } from 'vitest';
import { fake, sourceOf, startDownstreams, startsIn, textOf } from '../../test/downstreams-under-test.ts';

describe('a server that', () => {
  it('prints rubbish on stdout is used all the same', async () => {
    await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: fake({ rubbish: true }) } } }));
    const session = test.session('one');
    await session.open('a');
    expect(textOf(await session.call('a__s__echo', { message: 'hi' }))).toBe('{"message":"hi"}');
  });

  it.each(['initialize', 'tools/list'] as const)(
    'never answers %s is given up and named, and ended',
    async (hang) => {
      await using test = startDownstreams(sourceOf({}), { openTimeoutMs: 1_000 });
      const startsFile = join(test.folder, 'starts');
      await test.downstreams.reconfigure(
        sourceOf({ a: { mcpServers: { s: fake({ hang, startsFile }) } }, b: { mcpServers: { t: fake() } } }),
      );
      const session = test.session('one');
      await session.open('b');
      await expect(session.open('a')).rejects.toMatchObject({
        code: 'NEXUS_UNAVAILABLE',
        message: expect.stringContaining('Server "s"'),
      });
      expect(textOf(await session.call('b__t__echo'))).toBe('{}');
      const [pid = 0] = await startsIn(startsFile);
      await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 5_000);
    },
  );

  it('dies is told of with its state and its last words, and ends no other', async () => {
    await using test = startDownstreams(
      sourceOf({ a: { mcpServers: { s: fake(), t: fake({ name: 't' }) } } }),
    );
    const session = test.session('one');
    await session.open('a');
    await session.call('a__s__die', { exitCode: 9 });
    expect(textOf(await session.call('a__t__echo'))).toBe('{}');
    expect(textOf(await session.call('a__s__echo'))).toBe('{}');
    expect(test.downstreams.status()).toMatchObject([
      { servers: ['a/s'], state: 'ready', restarts: 1, sessions: 1 },
      { servers: ['a/t'], state: 'ready', restarts: 0, sessions: 1 },
    ]);
  });
});

it('ends a connection once nobody has it open, and every one at the end', async () => {
  await using test = startDownstreams(sourceOf({}));
  const startsFile = join(test.folder, 'starts');
  await test.downstreams.reconfigure(sourceOf({ a: { mcpServers: { s: fake({ startsFile }) } } }));
  const [one, other] = [test.session('one'), test.session('other')];
  await one.open('a');
  await other.open('a');
  const [pid = 0] = await startsIn(startsFile);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await one.close('a');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(isAlive(pid)).toBe(true);
    await scopeOf('other').end();
    await vi.advanceTimersByTimeAsync(60_000);
  } finally {
    vi.useRealTimers();
  }
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 5_000);
  expect(test.downstreams.status()).toEqual([]);
});
