import { scopeOf } from '@nexus/testing';
import { expect, it } from 'vitest';
import { fake, sourceOf, startDownstreams } from '../../test/downstreams-under-test.ts';

const source = sourceOf({ a: { mcpServers: { s: fake() } }, b: { mcpServers: { t: fake() } } });

it('opens toolboxes that open by themselves before the session is ready', async () => {
  await using test = startDownstreams(
    sourceOf({
      a: { autoOpen: true, prefix: false, mcpServers: { s: fake() } },
      b: { mcpServers: { t: fake() } },
    }),
  );
  const session = test.session('one');
  await test.downstreams.ready(scopeOf('one'));
  expect(session.listed()).toContain('echo');
  expect(test.downstreams.ready(scopeOf('one'))).toBeUndefined();
  expect(
    (await test.downstreams.list(['a', 'b'], scopeOf('one'))).map(({ name, isOpen }) => [name, isOpen]),
  ).toEqual([
    ['a', true],
    ['b', false],
  ]);
});

it('tells of one that fails, and holds nothing up for it', async () => {
  await using test = startDownstreams(
    sourceOf({
      a: { autoOpen: true, mcpServers: { s: fake({ exitCode: 3 }) } },
      b: { autoOpen: true, mcpServers: { t: fake() } },
    }),
  );
  const session = test.session('one');
  await test.downstreams.ready(scopeOf('one'));
  expect(session.listed()).toContain('b__t__echo');
  expect(session.notifications).toMatchObject([
    { params: { level: 'warning', data: expect.stringMatching(/Toolbox "a".*Server "s"/s) } },
  ]);
});

it('gives a session that is resumed what it had open, after the end of its server', async () => {
  await using test = startDownstreams(source);
  const session = test.session('one');
  await session.open('a');
  await session.open('b');
  await session.close('b');
  await test.restart();
  const resumed = test.session('one', { isResumed: true });
  const other = test.session('other');
  await test.downstreams.ready(scopeOf('one'));
  expect(resumed.listed()).toContain('a__s__echo');
  expect(resumed.listed().some((name) => name.startsWith('b'))).toBe(false);
  expect(other.listed()).toEqual([]);
});

it('gives nothing to one whose end was orderly', async () => {
  await using test = startDownstreams(source);
  await test.session('one').open('a');
  const scope = scopeOf('one');
  await scope.end();
  expect(test.registry.list(scope)).toEqual([]);
  const again = test.session('one', { isResumed: true });
  await test.downstreams.ready(scopeOf('one'));
  expect(again.listed()).toEqual([]);
});

it('is ready at once where the config has no toolboxes', async () => {
  await using test = startDownstreams(sourceOf({}));
  test.session('one', { isResumed: true });
  expect(test.downstreams.ready(scopeOf('one'))).toBeUndefined();
});

it('opens many by themselves without a warning of the process', async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => void warnings.push(warning);
  process.on('warning', warned);
  try {
    const boxes = Array.from({ length: 16 }, (_, at) => [
      `box${at}`,
      { autoOpen: true, mcpServers: { s: fake() } },
    ]);
    await using test = startDownstreams(sourceOf(Object.fromEntries(boxes)));
    const session = test.session('one');
    await test.downstreams.ready(scopeOf('one'));
    // Where a warning is told of.
    await new Promise(setImmediate);
    expect(session.listed().length).toBeGreaterThanOrEqual(16);
    expect(warnings.map(({ message }) => message)).toEqual([]);
  } finally {
    process.off('warning', warned);
  }
});
