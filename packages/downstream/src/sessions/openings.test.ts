import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scopeOf } from '@nexus/testing';
import { expect, it, vi } from 'vitest';
import { fake, sourceOf, startDownstreams, startsIn, textOf } from '../../test/downstreams-under-test.ts';

it('makes the tools of a toolbox callable for the session that opened it, and for no other', async () => {
  await using test = startDownstreams(sourceOf({ dev: { mcpServers: { files: fake() } } }));
  const [one, other] = [test.session('one'), test.session('other')];
  const opened = await one.open('dev');
  expect(opened).toMatchObject({ toolbox: 'dev', isListed: true, wasOpen: false, faults: [] });
  expect(opened.tools.map(({ registeredName }) => registeredName)).toEqual(one.listed());
  expect(one.listed()).toContain('dev__files__echo');
  expect(other.listed()).toEqual([]);
  expect(textOf(await one.call('dev__files__echo', { message: 'hi' }))).toBe('{"message":"hi"}');
  await expect(other.call('dev__files__echo')).rejects.toThrow(/Unknown tool/);
});

it('starts one process for ten that open at once, in one session and in several', async () => {
  await using test = startDownstreams(sourceOf({ dev: {} }));
  const startsFile = join(test.folder, 'starts');
  await test.downstreams.reconfigure(sourceOf({ dev: { mcpServers: { files: fake({ startsFile }) } } }));
  const sessions = ['a', 'b', 'c', 'd', 'e'].map((id) => test.session(id));
  const opened = await Promise.all(sessions.flatMap((session) => [session.open('dev'), session.open('dev')]));
  expect(opened.filter(({ wasOpen }) => wasOpen)).toHaveLength(5);
  expect(await startsIn(startsFile)).toHaveLength(1);
});

it('starts one process for two toolboxes whose servers are equal but for their tools', async () => {
  await using test = startDownstreams(sourceOf({}));
  const startsFile = join(test.folder, 'starts');
  const all = fake({ startsFile });
  const some = fake({ startsFile }, { toolFilters: ['echo', '!who'] });
  await test.downstreams.reconfigure(
    sourceOf({ a: { mcpServers: { x: all } }, b: { mcpServers: { y: some } } }),
  );
  const session = test.session('one');
  await session.open('a');
  await session.open('b');
  expect(session.listed().filter((name) => name.startsWith('b'))).toEqual(['b__y__echo']);
  expect(await startsIn(startsFile)).toHaveLength(1);
});

it('starts a process for each session where the config asks for that', async () => {
  await using test = startDownstreams(
    sourceOf({ dev: { mcpServers: { files: fake({}, { isolation: 'session' }) } } }),
  );
  const pids = [];
  for (const id of ['one', 'other']) {
    const session = test.session(id);
    await session.open('dev');
    pids.push(textOf(await session.call('dev__files__who')));
  }
  expect(new Set(pids).size).toBe(2);
});

it('lists nothing in proxy mode and lets everything be called', async () => {
  await using test = startDownstreams(sourceOf({ dev: { mcpServers: { files: fake() } } }, 'proxy'));
  const session = test.session('one');
  expect(await session.open('dev')).toMatchObject({ isListed: false });
  expect(session.listed()).toEqual([]);
  expect(textOf(await session.call('dev__files__echo', { message: 'hi' }))).toBe('{"message":"hi"}');
});

it('opens without a server that fails, holds nothing of it, and names it with the reason', async () => {
  await using test = startDownstreams(
    sourceOf({
      dev: { mcpServers: { good: fake(), bad: fake({ exitCode: 3, stderr: 'no licence here' }) } },
    }),
  );
  const session = test.session('one');
  const opened = await session.open('dev');
  expect(opened.faults).toEqual([
    { server: 'bad', reason: expect.stringMatching(/Server "bad".*no licence here/s) },
  ]);
  expect(session.listed()).toContain('dev__good__echo');
  expect(test.downstreams.status().map(({ servers }) => servers)).toEqual([['dev/good']]);
  expect(test.lines.some(({ fields }) => fields?.server === 'bad')).toBe(true);
});

it('holds nothing where every server fails', async () => {
  await using test = startDownstreams(
    sourceOf({ dev: { mcpServers: { bad: fake({ exitCode: 3 }), worse: fake({ exitCode: 4 }) } } }),
  );
  const session = test.session('one');
  await expect(session.open('dev')).rejects.toMatchObject({
    code: 'NEXUS_UNAVAILABLE',
    detail: { toolbox: 'dev', server: 'bad', exitCode: 3 },
  });
  expect(test.downstreams.status()).toEqual([]);
  expect(session.listed()).toEqual([]);
});

it('opens without a server that can’t be used, names it in the list, in answers and where it is reached for', async () => {
  const faults = [{ server: 'waits', reason: 'waits for the user’s trust' }];
  await using test = startDownstreams(
    sourceOf({ dev: { mcpServers: { good: fake() }, faults }, none: { faults } }),
  );
  const session = test.session('one');
  expect((await session.open('dev')).faults).toEqual(faults);
  expect(session.listed()).toContain('dev__good__echo');
  await expect(session.open('none')).rejects.toMatchObject({
    code: 'NEXUS_CONFIG',
    message: 'Toolbox "none": waits: waits for the user’s trust',
  });
  expect(await test.downstreams.list(['dev', 'none'], scopeOf('one'))).toMatchObject([
    {
      servers: [
        { name: 'good', state: 'ready' },
        { name: 'waits', state: 'failed', error: 'waits for the user’s trust' },
      ],
    },
    { servers: [{ name: 'waits', state: 'failed' }] },
  ]);
  expect((await test.downstreams.catalogue(session.caller)).unreachable).toEqual([
    { toolbox: 'dev', ...faults[0] },
    { toolbox: 'none', ...faults[0] },
  ]);
  await expect(
    test.downstreams.reach({ toolbox: 'dev', server: 'waits', tool: 'echo' }, session.caller),
  ).rejects.toThrow('Server "waits" of toolbox "dev" can’t be used: waits for the user’s trust');
});

it('takes a toolbox from the session again, and says how many tools went', async () => {
  await using test = startDownstreams(sourceOf({ dev: { mcpServers: { files: fake() } } }));
  const session = test.session('one');
  const { tools } = await session.open('dev');
  expect(await session.close('dev')).toBe(tools.length);
  expect(session.listed()).toEqual([]);
  expect(await session.close('dev')).toBe(0);
  await expect(session.close('def')).rejects.toThrow(/no toolbox "def"; did you mean dev/);
});

it('tells toolboxes and servers apart whose names join to one', async () => {
  await using test = startDownstreams(
    sourceOf({
      a__b: { mcpServers: { c: fake({ name: 'first' }) } },
      a: { mcpServers: { b__c: fake({ name: 'second' }) } },
    }),
  );
  const session = test.session('one');
  const first = await session.open('a__b');
  const second = await session.open('a');
  const names = (opened: typeof first) => opened.tools.map(({ registeredName }) => registeredName);
  expect(new Set([...names(first), ...names(second)]).size).toBe(2 * first.tools.length);
  expect(session.listed()).toEqual(expect.arrayContaining([...names(first), ...names(second)]));
  const whoOf = async (toolbox: string, server: string) => {
    const name = await test.downstreams.reach({ toolbox, server, tool: 'who' }, session.caller);
    return textOf(await session.call(name));
  };
  expect(await whoOf('a__b', 'c')).not.toBe(await whoOf('a', 'b__c'));
  expect(second.faults[0]?.reason).toContain('of a__b/c');
});

it('goes on opening for one caller when another one gives up, and ends when all have', async () => {
  await using test = startDownstreams(sourceOf({}));
  const [startsFile, gate] = [join(test.folder, 'starts'), join(test.folder, 'gate')];
  await test.downstreams.reconfigure(
    sourceOf({ dev: { mcpServers: { files: fake({ startsFile, waitForFile: gate }) } } }),
  );
  const session = test.session('one');
  const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
  const open = ({ signal }: AbortController) => test.downstreams.open('dev', { ...session.caller, signal });
  const opening = open(first);
  const other = open(second);
  await vi.waitFor(async () => expect(await startsIn(startsFile)).toHaveLength(1));
  first.abort(new Error('not any more'));
  await expect(opening).rejects.toThrow('not any more');
  writeFileSync(gate, '');
  expect(await other).toMatchObject({ toolbox: 'dev', wasOpen: true });
  await session.close('dev');

  await test.downstreams.reconfigure(
    sourceOf({ dev: { mcpServers: { hangs: fake({ hang: 'initialize' }) } } }),
  );
  const alone = open(third);
  third.abort(new Error('nobody waits'));
  await expect(alone).rejects.toThrow('nobody waits');
  await vi.waitFor(() =>
    expect(test.downstreams.status().map(({ servers }) => servers)).not.toContainEqual(['dev/hangs']),
  );
});

it('says of tools that the client has not looked at that they are not listed, and lets them be called', async () => {
  const relisting = { knowsList: async () => false };
  const source = sourceOf({ dev: { mcpServers: { files: fake() } } });
  await using test = startDownstreams(source, { relisting });
  const session = test.session('one');
  expect(await session.open('dev')).toMatchObject({ isListed: false });
  expect(textOf(await session.call('dev__files__echo', { message: 'hi' }))).toBe('{"message":"hi"}');
});
