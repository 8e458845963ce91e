import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import {
  type DownstreamsUnderTest,
  fake,
  sourceOf,
  startDownstreams,
  textOf,
} from '../../test/downstreams-under-test.ts';

/** A server whose `echo` is described otherwise once `change` was called. */
function started(): { test: DownstreamsUnderTest; change(): void } {
  const test = startDownstreams((folder) =>
    sourceOf({ a: { mcpServers: { s: fake({ markerFile: join(folder, 'marker') }) } } }),
  );
  return { test, change: () => writeFileSync(join(test.folder, 'marker'), '') };
}

const CHANGE = {
  hash: expect.stringMatching(/^[\da-f]{40}$/),
  isListed: true,
  toolbox: 'a',
  server: 's',
  tool: 'echo',
  changes: [
    { field: 'description', old: 'Echoes its arguments.', new: 'Echoes, and does something else now.' },
  ],
};

/** Who is told to accept only would accept unseen. */
const REASON =
  'echo is held back, since the server changed what it says of it; `nexus pins` shows the change, and accepts it';
const TEXT = `Of a / s: ${REASON}.`;

it('holds a changed definition back until it is accepted, and says so', async () => {
  const { test, change } = started();
  await using _ = test;
  const session = test.session('one');
  await session.open('a');
  expect(await test.downstreams.pins.pending()).toEqual([]);
  change();
  await session.call('a__s__change_list');
  await vi.waitFor(() => expect(session.listed()).not.toContain('a__s__echo'));
  // A tool that is new is pinned as it is; the others stay.
  expect(session.listed()).toEqual(expect.arrayContaining(['a__s__added', 'a__s__who']));
  expect((await session.open('a')).faults).toEqual([{ server: 's', tool: 'echo', reason: REASON }]);
  // Also by its name alone, as a host or a bundle calls it.
  expect(await session.call('a__s__echo')).toMatchObject({
    isError: true,
    content: [{ text: TEXT }],
    _meta: { 'nexus/error': { code: 'NEXUS_CONFLICT', retryable: false } },
  });
  expect(await test.downstreams.whyNot('a__s__echo', session.caller.session)).toBe(TEXT);
  expect(await test.downstreams.whyNot('a__s__nosuch', session.caller.session)).toContain(
    'has no tool "nosuch"',
  );
  expect(await test.downstreams.whyNot('a__s__who', session.caller.session)).toBeUndefined();
  // Whoever searches, lists or tries it is told so too, and never what its server says of it by now.
  const reason = REASON;
  const catalogue = await test.downstreams.catalogue(session.caller);
  expect(catalogue.unreachable).toEqual([{ toolbox: 'a', server: 's', reason }]);
  expect(catalogue.heldBack).toEqual([
    {
      toolbox: 'a',
      server: 's',
      tools: [{ server: 's', tool: 'echo', name: 'echo', names: ['a__s__echo'] }],
    },
  ]);
  expect(JSON.stringify(catalogue)).not.toContain('does something else now');
  const [
    {
      servers: [of],
    } = { servers: [] },
  ] = await test.downstreams.list(['a'], session.caller.session);
  expect(of).toMatchObject({ state: 'ready', error: reason });
  expect(await test.downstreams.tryServers({ environment: {} })).toMatchObject([
    { isOk: true, heldBack: reason },
  ]);
  expect(await test.downstreams.pins.pending()).toEqual([CHANGE]);
  const hashes = (await test.downstreams.pins.pending()).map(({ hash }) => hash);
  expect(await test.downstreams.pins.accept({ toolbox: 'b' }, hashes)).toEqual([]);
  expect(await test.downstreams.pins.accept({ toolbox: 'a' }, ['another'])).toEqual([]);
  expect(await test.downstreams.pins.accept({ toolbox: 'a', server: 's' }, hashes)).toEqual([CHANGE]);
  expect(await test.downstreams.pins.pending()).toEqual([]);
  expect(session.listed()).toContain('a__s__echo');
  expect((await session.open('a')).faults).toEqual([]);
});

it('holds back what changed while nobody looked, and calls no such tool', async () => {
  const { test, change } = started();
  await using _ = test;
  await test.session('one').open('a');
  change();
  await test.restart();
  const { caller, call } = test.session('two');
  const name = await test.downstreams.reach({ toolbox: 'a', server: 's', tool: 'echo' }, caller);
  const result = await call(name);
  expect(result).toMatchObject({ isError: true, _meta: { 'nexus/error': { code: 'NEXUS_CONFLICT' } } });
  expect(textOf(result)).toBe(TEXT);
  await expect(
    test.downstreams.reach({ toolbox: 'a', server: 's', tool: 'echo' }, caller),
  ).rejects.toMatchObject({
    code: 'NEXUS_CONFLICT',
    message: TEXT,
  });
});

it('takes a definition back that is again as it was', async () => {
  const { test, change } = started();
  await using _ = test;
  const session = test.session('one');
  await session.open('a');
  change();
  await session.call('a__s__change_list');
  await vi.waitFor(async () => expect(await test.downstreams.pins.pending()).toHaveLength(1));
  rmSync(join(test.folder, 'marker'));
  await session.call('a__s__change_list');
  await vi.waitFor(async () => expect(await test.downstreams.pins.pending()).toEqual([]));
  expect(session.listed()).toContain('a__s__echo');
});

it('holds a tool to the pins of its own toolbox, whatever the connection has served before', async () => {
  await using test = startDownstreams((folder) => {
    const mcpServers = { s: fake({ markerFile: join(folder, 'marker') }) };
    return sourceOf({ a: { mcpServers }, b: { mcpServers } });
  });
  const address = { toolbox: 'b', server: 's', tool: 'echo' };
  await test.session('one').open('b');
  await test.restart();
  writeFileSync(join(test.folder, 'marker'), '');
  const two = test.session('two');
  // Never pinned there, so it is known as it is now; the connection that stands is one of equal settings.
  await two.open('a');
  expect(textOf(await two.call('a__s__echo', { message: 'a' }))).toBe('{"message":"a"}');
  const name = await test.downstreams.reach(address, two.caller);
  const result = await two.call(name, { message: 'b' });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('Of b / s: echo is held back');
});

it('keeps the name of a tool that is held back, so that no other server’s tool is called by it', async () => {
  await using test = startDownstreams((folder) => {
    const mcpServers = { till: fake({ markerFile: join(folder, 'marker') }), vault: fake() };
    return sourceOf({ a: { prefix: false, mcpServers } });
  });
  await test.session('one').open('a');
  writeFileSync(join(test.folder, 'marker'), '');
  await test.restart();
  const session = test.session('two');
  const { tools } = await session.open('a');
  const echoes = tools.filter(({ tool }) => tool === 'echo').map(({ registeredName }) => registeredName);
  expect(echoes).toEqual(['a__vault__echo']);
  expect(textOf(await session.call('echo', { message: 'b' }))).toContain('Of a / till: echo is held back');
});

it('keeps that name from the tools of a toolbox that is opened later', async () => {
  await using test = startDownstreams((folder) =>
    sourceOf({
      a: { prefix: false, mcpServers: { till: fake({ markerFile: join(folder, 'marker') }) } },
      b: { prefix: false, mcpServers: { vault: fake() } },
    }),
  );
  await test.session('one').open('a');
  writeFileSync(join(test.folder, 'marker'), '');
  await test.restart();
  const session = test.session('two');
  await session.open('a');
  const { faults } = await session.open('b');
  expect(faults).toContainEqual({
    server: 'vault',
    tool: 'echo',
    reason: expect.stringMatching(/^it is named b__vault__echo here, .* of a \/ till, which is held back;/),
  });
  expect(textOf(await session.call('echo', { message: 'b' }))).toContain('Of a / till: echo is held back');
  expect(textOf(await session.call('b__vault__echo', { message: 'b' }))).toBe('{"message":"b"}');
});

it('keeps the name that the config gives to a tool which is held back, and says so under it', async () => {
  await using test = startDownstreams((folder) => {
    const tools = { echo: { name: 'charge' }, who: { name: 'charge' } };
    return sourceOf({ a: { mcpServers: { till: fake({ markerFile: join(folder, 'marker') }, { tools }) } } });
  });
  await test.session('one').open('a');
  writeFileSync(join(test.folder, 'marker'), '');
  await test.restart();
  const { caller, open } = test.session('two');
  expect((await open('a')).tools.map(({ tool }) => tool)).not.toContain('charge');
  const address = { toolbox: 'a', server: 'till', tool: 'charge' };
  await expect(test.downstreams.reach(address, caller)).rejects.toThrow('Of a / till: echo is held back');
});
