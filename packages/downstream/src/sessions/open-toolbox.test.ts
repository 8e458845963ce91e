import { join } from 'node:path';
import { expect, it } from 'vitest';
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

it('closes what it started and names the server when one of several fails', async () => {
  await using test = startDownstreams(
    sourceOf({
      dev: { mcpServers: { good: fake(), bad: fake({ exitCode: 3, stderr: 'no licence here' }) } },
      other: { mcpServers: { shared: fake({ name: 'shared' }) } },
      both: { mcpServers: { shared: fake({ name: 'shared' }), bad: fake({ exitCode: 4 }) } },
    }),
  );
  const session = test.session('one');
  await session.open('other');
  await expect(session.open('dev')).rejects.toMatchObject({
    code: 'NEXUS_UNAVAILABLE',
    message: expect.stringMatching(/Server "bad".*no licence here/s),
    detail: { toolbox: 'dev', server: 'bad', exitCode: 3 },
  });
  await expect(session.open('both')).rejects.toThrow(/Server "bad"/);
  expect(test.downstreams.status().map(({ servers }) => servers)).toEqual([['both/shared', 'other/shared']]);
  expect(session.listed().every((name) => name.startsWith('other__shared__'))).toBe(true);
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
