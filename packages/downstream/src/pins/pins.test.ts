import { writeFileSync } from 'node:fs';
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
async function started(): Promise<{ test: DownstreamsUnderTest; change(): void }> {
  const test = startDownstreams(sourceOf({}));
  const markerFile = join(test.folder, 'marker');
  const source = sourceOf({ a: { mcpServers: { s: fake({ markerFile }) } } });
  await test.downstreams.reconfigure(source);
  return { test, change: () => writeFileSync(markerFile, '') };
}

const CHANGE = {
  toolbox: 'a',
  server: 's',
  tool: 'echo',
  changes: [
    { field: 'description', old: 'Echoes its arguments.', new: 'Echoes, and does something else now.' },
  ],
};

it('holds a changed definition back until it is accepted, and says so', async () => {
  const { test, change } = await started();
  await using _ = test;
  const session = test.session('one');
  await session.open('a');
  expect(await test.downstreams.pins.held()).toEqual([]);
  change();
  await session.call('a__s__change_list');
  await vi.waitFor(() => expect(session.listed()).not.toContain('a__s__echo'));
  // A tool that is new is pinned as it is; the others stay.
  expect(session.listed()).toEqual(expect.arrayContaining(['a__s__added', 'a__s__who']));
  expect((await session.open('a')).faults).toEqual([
    { server: 's', tool: 'echo', reason: expect.stringContaining('nexus pins accept a') },
  ]);
  await expect(session.call('a__s__echo')).rejects.toThrow(/Unknown tool/);
  expect(await test.downstreams.pins.held()).toEqual([CHANGE]);
  expect(await test.downstreams.pins.accept('b')).toEqual([]);
  expect(await test.downstreams.pins.accept('a', 's')).toEqual([CHANGE]);
  expect(await test.downstreams.pins.held()).toEqual([]);
  expect(session.listed()).toContain('a__s__echo');
  expect((await session.open('a')).faults).toEqual([]);
});

it('holds back what changed while nobody looked, and calls no such tool', async () => {
  const { test, change } = await started();
  await using _ = test;
  await test.session('one').open('a');
  change();
  await test.downstreams.stop();
  const { caller, call } = test.session('two');
  const name = await test.downstreams.reach({ toolbox: 'a', server: 's', tool: 'echo' }, caller);
  const result = await call(name);
  expect(result).toMatchObject({ isError: true, _meta: { 'nexus/error': { code: 'NEXUS_CONFLICT' } } });
  expect(textOf(result)).toContain('nexus pins accept a');
  await expect(
    test.downstreams.reach({ toolbox: 'a', server: 's', tool: 'echo' }, caller),
  ).rejects.toMatchObject({
    code: 'NEXUS_CONFLICT',
  });
});

it('takes a definition back that is again as it was', async () => {
  const { test, change } = await started();
  await using _ = test;
  const session = test.session('one');
  await session.open('a');
  change();
  await session.call('a__s__change_list');
  await vi.waitFor(async () => expect(await test.downstreams.pins.held()).toHaveLength(1));
  const { rmSync } = await import('node:fs');
  rmSync(join(test.folder, 'marker'));
  await session.call('a__s__change_list');
  await vi.waitFor(async () => expect(await test.downstreams.pins.held()).toEqual([]));
  expect(session.listed()).toContain('a__s__echo');
});
