import { scopeOf } from '@nexus/testing';
import { expect, it, vi } from 'vitest';
import { fake, receivedBy, sourceOf, startDownstreams, textOf } from '../../test/downstreams-under-test.ts';

it('keeps the connection of what did not change, whatever changes around it', async () => {
  await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: fake() } } }));
  const session = test.session('one');
  await session.open('a');
  const pid = textOf(await session.call('a__s__who'));
  const changes: unknown[] = [];
  test.registry.onChange(() => changes.push(1));
  await test.downstreams.reconfigure(sourceOf({ a: { mcpServers: { s: fake() } }, b: {} }));
  expect(changes).toEqual([]);
  await test.downstreams.reconfigure(
    sourceOf({ a: { mcpServers: { s: fake({}, { toolFilters: ['who'] }), t: fake({ name: 't' }) } } }),
  );
  expect(session.listed().filter((name) => name.includes('__s__'))).toEqual(['a__s__who']);
  expect(session.listed()).toContain('a__t__echo');
  expect(textOf(await session.call('a__s__who'))).toBe(pid);
});

it('starts anew what changed, for the sessions that have it open', async () => {
  await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: fake() } } }));
  const [one, other] = [test.session('one'), test.session('other')];
  await one.open('a');
  const pid = textOf(await one.call('a__s__who'));
  await test.downstreams.reconfigure(sourceOf({ a: { mcpServers: { s: fake({}, { env: { A: 'b' } }) } } }));
  expect(textOf(await one.call('a__s__who'))).not.toBe(pid);
  expect(other.listed()).toEqual([]);
});

it('closes what is gone, and opens what opens by itself', async () => {
  await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: fake() } } }));
  const session = test.session('one');
  await session.open('a');
  await test.downstreams.reconfigure(sourceOf({ b: { autoOpen: true, mcpServers: { t: fake() } } }));
  expect(session.listed().every((name) => name.startsWith('b__t__'))).toBe(true);
  expect(session.listed()).toContain('b__t__echo');
  await expect(session.open('a')).rejects.toThrow(/no toolbox "a"/);
});

it('closes what can’t be opened as it is now, and tells the session', async () => {
  await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: fake() } } }));
  const session = test.session('one');
  await session.open('a');
  await test.downstreams.reconfigure(sourceOf({ a: { mcpServers: { s: fake({ exitCode: 5 }) } } }));
  expect(session.listed()).toEqual([]);
  await vi.waitFor(() =>
    expect(session.notifications).toMatchObject([
      {
        method: 'notifications/message',
        params: { data: expect.stringMatching(/Toolbox "a".*Server "s"/s) },
      },
    ]),
  );
});

it('lists no tools any more when the mode changes to proxy', async () => {
  const toolboxes = { a: { mcpServers: { s: fake() } } };
  await using test = startDownstreams(sourceOf(toolboxes));
  const session = test.session('one');
  await session.open('a');
  await test.downstreams.reconfigure(sourceOf(toolboxes, 'proxy'));
  expect(session.listed()).toEqual([]);
  expect(textOf(await session.call('a__s__echo'))).toBe('{}');
});

it('leaves nothing behind at a server that others have open: no subscription, no level of log messages', async () => {
  const settings = fake({ resources: true });
  const b = { b: { mcpServers: { t: settings } } };
  await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: settings } }, ...b }));
  const [one, other] = [test.session('one'), test.session('other')];
  await one.open('a');
  await other.open('b');
  await test.downstreams.setLogLevel(scopeOf('one'), 'debug');
  expect(await test.downstreams.subscribe(scopeOf('one'), 'fake://a')).toBe(true);
  await test.downstreams.reconfigure(sourceOf(b));
  await vi.waitFor(async () =>
    expect(await receivedBy(other, 'b__t__received')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ method: 'resources/unsubscribe', params: { uri: 'fake://a' } }),
        expect.objectContaining({ method: 'logging/setLevel', params: { level: 'info' } }),
      ]),
    ),
  );
});
