import { join } from 'node:path';
import { scopeOf } from '@nexus/testing';
import { expect, it } from 'vitest';
import { fake, sourceOf, startDownstreams, startsIn, textOf } from '../../test/downstreams-under-test.ts';

it('lists servers that were never seen, closes them again, and remembers them', async () => {
  await using test = startDownstreams(sourceOf({}));
  const startsFile = join(test.folder, 'starts');
  const source = sourceOf({
    a: { mcpServers: { s: fake({ startsFile }), bad: fake({ exitCode: 3, stderr: 'no licence' }) } },
  });
  await test.downstreams.reconfigure(source);
  const { caller } = test.session('one');
  const { tools, unreachable, version } = await test.downstreams.catalogue(caller);
  expect(tools.find(({ tool }) => tool === 'echo')).toMatchObject({
    toolbox: 'a',
    server: 's',
    registeredName: 'a__s__echo',
    definition: { name: 'echo', description: 'Echoes its arguments.' },
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  });
  expect(unreachable).toEqual([
    { toolbox: 'a', server: 'bad', reason: expect.stringContaining('no licence') },
  ]);
  expect(test.downstreams.status()).toEqual([]);
  expect(await test.downstreams.catalogue(caller)).toMatchObject({ version, unreachable });
  expect(await startsIn(startsFile)).toHaveLength(1);
});

it('has no tool that the config denies, nor does its toolbox show one, while its call is told why', async () => {
  const denied = { deny: ['a__s__echo'] };
  await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: fake() } } }), {}, denied);
  const session = test.session('one');
  const { tools } = await test.downstreams.catalogue(session.caller);
  expect(tools.length).toBeGreaterThan(0);
  expect(tools.map(({ tool }) => tool)).not.toContain('echo');
  const opened = await session.open('a');
  expect(opened.tools).toEqual(tools);
  expect(session.listed()).not.toContain('a__s__echo');
  expect(await session.call('a__s__echo')).toMatchObject({
    _meta: { 'nexus/error': { code: 'NEXUS_DENIED' } },
  });
});

it('answers after a restart without a connection', async () => {
  await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: fake() } } }));
  await test.session('one').open('a');
  await test.restart();
  const { caller } = test.session('two');
  const { tools, unreachable } = await test.downstreams.catalogue(caller);
  expect(tools.map(({ tool }) => tool)).toContain('echo');
  expect(unreachable).toEqual([]);
  expect(test.downstreams.status()).toEqual([]);
  expect(await test.downstreams.list(['a'], scopeOf('two'))).toMatchObject([
    { name: 'a', isOpen: false, servers: [{ name: 's', state: 'idle', toolCount: tools.length }] },
  ]);
});

it('names a toolbox whose variables are not set, and has the others', async () => {
  const faults = [{ server: 't', reason: 'toolboxes.b: the environment variable KEY is not set' }];
  await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: fake() } }, b: { faults } }));
  const { caller } = test.session('one');
  const { tools, unreachable } = await test.downstreams.catalogue(caller);
  expect(new Set(tools.map(({ toolbox }) => toolbox))).toEqual(new Set(['a']));
  expect(unreachable).toEqual([{ toolbox: 'b', server: 't', reason: expect.stringContaining('KEY') }]);
  expect(await test.downstreams.list(['b'], scopeOf('one'))).toMatchObject([
    { name: 'b', servers: [{ name: 't', state: 'failed', error: expect.stringContaining('KEY') }] },
  ]);
});

it('holds no secret', async () => {
  const secret = 'hunter2-hunter2';
  await using test = startDownstreams(
    sourceOf({
      a: { mcpServers: { s: fake({ exitCode: 3, stderr: `bad key ${secret}` }, { env: { KEY: secret } }) } },
    }),
  );
  const { caller } = test.session('one');
  const shown = [
    await test.downstreams.catalogue(caller),
    await test.downstreams.list(['a'], scopeOf('one')),
  ];
  await expect(test.downstreams.open('a', caller)).rejects.not.toThrow(secret);
  expect(JSON.stringify([shown, test.downstreams.status(), test.lines])).not.toContain(secret);
});

it('makes one tool callable that nobody opened, and lists it to nobody', async () => {
  await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: fake() } } }));
  const session = test.session('one');
  const address = { toolbox: 'a', server: 's', tool: 'echo' };
  const name = await test.downstreams.reach(address, session.caller);
  expect(name).toBe('a__s__echo');
  expect(session.listed()).toEqual([]);
  expect(textOf(await session.call(name, { message: 'hi' }))).toBe('{"message":"hi"}');
  await session.open('a');
  expect(session.listed()).toContain(name);
  expect(await test.downstreams.reach(address, session.caller)).toBe(name);
});

it('names the nearest where there is no such toolbox, server or tool', async () => {
  await using test = startDownstreams(sourceOf({ dev: { mcpServers: { files: fake() } } }));
  const { caller } = test.session('one');
  const reach = (toolbox: string, server: string, tool: string) =>
    test.downstreams.reach({ toolbox, server, tool }, caller);
  await expect(reach('def', 'files', 'echo')).rejects.toThrow(/no toolbox "def"; did you mean dev/);
  await expect(reach('dev', 'filez', 'echo')).rejects.toThrow(/no server "filez"; did you mean files/);
  await expect(reach('dev', 'files', 'ecko')).rejects.toThrow(
    /no tool "ecko"; did you mean dev__files__echo/,
  );
});

it('has this server’s own tools where they are not listed to everybody', async () => {
  await using test = startDownstreams(sourceOf({}), { includesOwnTools: () => true });
  const { caller } = test.session('one');
  test.registry.register({
    name: 'own_tool',
    plugin: 'own',
    listing: { name: 'own_tool', inputSchema: { type: 'object' } },
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    budget: 'interactive',
    isLong: false,
    requires: [],
    validate: (value) => ({ ok: true, value }),
    fits: () => false,
    run: async () => ({ content: [] }),
  });
  const { tools } = await test.downstreams.catalogue(caller);
  expect(tools).toMatchObject([
    { toolbox: 'nexus', server: 'nexus', tool: 'own_tool', registeredName: 'own_tool' },
  ]);
  const reach = (tool: string) => test.downstreams.reach({ toolbox: 'nexus', server: 'nexus', tool }, caller);
  expect(await reach('own_tool')).toBe('own_tool');
  await expect(reach('none')).rejects.toMatchObject({ code: 'NEXUS_NOT_FOUND' });
  await expect(reach('own_tol')).rejects.toThrow('did you mean own_tool?');
});

it('keeps what a trial of its servers has learnt, also for another that runs already', async () => {
  await using test = startDownstreams(
    sourceOf({ a: { mcpServers: { s: fake(), bad: fake({ exitCode: 3 }) } } }),
  );
  test.session('one');
  expect(await test.downstreams.list(['a'], scopeOf('one'))).toMatchObject([
    { servers: [{ name: 's', state: 'idle' }, {}] },
  ]);
  const trials = await test.downstreams.tryServers({ environment: {} });
  expect(trials.map(({ server, isOk }) => [server, isOk]).sort()).toEqual([
    ['bad', false],
    ['s', true],
  ]);
  expect(test.downstreams.status()).toEqual([]);
  await test.restart();
  test.session('two');
  expect(await test.downstreams.list(['a'], scopeOf('two'))).toMatchObject([
    { servers: [{ name: 's', state: 'idle', toolCount: expect.any(Number) }, { name: 'bad' }] },
  ]);
});

it('says of how many tools of a server it has only a part: in the search, the list and of what is open', async () => {
  await using test = startDownstreams(
    sourceOf({ a: { mcpServers: { s: fake({ manyTools: 5_010 }), other: fake() } } }),
  );
  const session = test.session('one');
  expect(test.downstreams.leftOut(session.caller.session)).toEqual([]);
  const { tools, unreachable } = await test.downstreams.catalogue(session.caller);
  const listed = tools.filter(({ server }) => server === 's').length;
  expect(listed).toBe(5_000);
  const count = 10 + tools.length - listed;
  const reason = `${count} of the ${5_000 + count} tools that it lists are left out; open_toolbox says why`;
  expect(unreachable).toEqual([{ toolbox: 'a', server: 's', reason }]);
  const [{ servers } = { servers: [] }] = await test.downstreams.list(['a'], session.caller.session);
  expect(servers.map(({ name, leftOut }) => [name, leftOut])).toEqual([
    ['s', count],
    ['other', undefined],
  ]);
  await session.open('a');
  expect(test.downstreams.leftOut(session.caller.session)).toEqual([
    { toolbox: 'a', server: 's', count, reason },
  ]);
});
