import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CataloguedTool } from '@nexus/plugin-sdk';
import { createStore } from '@nexus/store';
import { collectLog } from '@nexus/testing';
import { expect, it, vi } from 'vitest';
import {
  type DownstreamsUnderTest,
  fake,
  sourceOf,
  startDownstreams,
} from '../../test/downstreams-under-test.ts';
import { opener } from '../store/database.ts';
import { createLearntShapes } from './learnt-shapes.ts';

const CANARY = 'canary7f3a9b1c55';

function started() {
  return startDownstreams(sourceOf({ a: { mcpServers: { s: fake({ schemas: true }) } } }));
}

async function shapeOfTool(test: DownstreamsUnderTest, tool: string) {
  const { caller } = test.session(crypto.randomUUID());
  const { tools } = await test.downstreams.catalogue(caller);
  const found = tools.filter((each) => each.tool === tool);
  const [shape] = await test.downstreams.shapes(found, {});
  return shape;
}

/** All bytes that the store has on disk. */
function bytesOf(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return Buffer.concat(files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))));
}

it('learns what results look like where the server does not say it, and knows it after a restart', async () => {
  await using test = started();
  expect(await shapeOfTool(test, 'echo')).toBeUndefined();
  const session = test.session('one');
  await session.open('a');
  for (const message of ['a', 'b']) await session.call('a__s__echo', { message });
  const learnt = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };
  await test.restart();
  expect(await shapeOfTool(test, 'echo')).toEqual(learnt);
});

it('learns nothing of errors, of what is in several texts, and of tools whose server says it', async () => {
  await using test = started();
  const session = test.session('one');
  await session.open('a');
  for (let each = 0; each < 3; each += 1) {
    await session.call('a__s__fail', {});
    await session.call('a__s__who', {});
    await session.call('a__s__output_mismatch', {});
  }
  // It is seen to in turn, so that what was learnt before is on record by then.
  await vi.waitFor(async () =>
    expect(await shapeOfTool(test, 'who')).toMatchObject({ required: ['cwd', 'env', 'pid'] }),
  );
  expect(await shapeOfTool(test, 'fail')).toBeUndefined();
  expect(await shapeOfTool(test, 'output_mismatch')).toBeUndefined();
});

const DEFINITION = { name: 't', inputSchema: { type: 'object' } };
const tool = (name: string, definition: CataloguedTool['definition'] = DEFINITION): CataloguedTool => ({
  ...{ toolbox: 'a', server: 's', tool: name, registeredName: name, definition },
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
});
const text = (value: unknown) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

async function withShapes(
  work: (shapes: ReturnType<typeof createLearntShapes>, folder: string) => Promise<void>,
): Promise<void> {
  await using test = started();
  const store = createStore({ projectId: 'test', dataDir: test.folder });
  const { log, lines } = collectLog();
  const shapes = createLearntShapes(opener(store), log);
  await work(shapes, test.folder);
  await shapes.stop();
  await store.close();
  expect(lines).toEqual([]);
}

it('has no value of a thousand results in its store', async () => {
  await withShapes(async (shapes, folder) => {
    for (let each = 0; each < 1_000; each += 1) {
      const canary = `${CANARY}-${each}`;
      shapes.learn(
        tool(`tool_${each % 40}`),
        text({
          ...{ id: each, secret: canary, list: [canary, { deep: { value: canary } }], nothing: null },
          byKey: { [canary]: { count: 1 } },
          // Each is there once, and may be a name for all that can be told.
          byWord: { [`canary${'abcdefghijklmnopqrstuvwxyz'[each % 26]}${Math.floor(each / 26)}`]: 1 },
        }),
        undefined,
      );
      await settled();
    }
    const all = await shapes.of(
      Array.from({ length: 40 }, (_, at) => tool(`tool_${at}`)),
      undefined,
    );
    for (const shape of all) {
      expect(shape).toMatchObject({
        properties: {
          secret: { type: 'string' },
          byKey: { additionalProperties: { properties: { count: { type: 'number' } } } },
        },
      });
    }
    await shapes.stop();
    const bytes = bytesOf(folder);
    expect(bytes.includes('byKey')).toBe(true);
    expect(bytes.includes('canary')).toBe(false);
  });
});

it('knows of another definition nothing that results of this one told', async () => {
  await withShapes(async (shapes) => {
    for (const id of [1, 2]) shapes.learn(tool('t'), text({ id }), undefined);
    await settled();
    expect(await shapes.of([tool('t')], undefined)).toMatchObject([{ properties: { id: {} } }]);
    const changed = { ...DEFINITION, description: 'Another one.' };
    expect(await shapes.of([tool('t', changed)], undefined)).toEqual([undefined]);
    for (const name of ['a', 'b']) shapes.learn(tool('t', changed), text({ name }), undefined);
    await settled();
    const [now] = await shapes.of([tool('t', changed)], undefined);
    expect(now).toMatchObject({ properties: { name: {} }, required: ['name'] });
  });
});

it('tells nobody what results of another user looked like, in memory nor on record', async () => {
  await withShapes(async (shapes) => {
    for (const id of [1, 2]) shapes.learn(tool('t'), text({ id, kingfisher: 'x' }), 'alice');
    await settled();
    const alices = { properties: { id: {}, kingfisher: {} } };
    expect(await shapes.of([tool('t')], 'alice')).toMatchObject([alices]);
    expect(await shapes.of([tool('t')], 'mallory')).toEqual([undefined]);
    expect(await shapes.of([tool('t')], undefined)).toEqual([undefined]);
  });
});

it('looks at a bounded number of results of a tool, and at no text of many megabytes', async () => {
  await withShapes(async (shapes) => {
    for (let each = 0; each < 40; each += 1)
      shapes.learn(tool('often'), text({ a: each, ...(each > 34 ? { late: 1 } : {}) }), undefined);
    const long = { content: [{ type: 'text', text: `{"a":"${'x'.repeat(15_000_000)}"}` }] };
    for (const result of [long, long]) shapes.learn(tool('long'), result, undefined);
    const deep = { content: [{ type: 'text', text: '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000) }] };
    for (const result of [deep, deep]) shapes.learn(tool('deep'), result, undefined);
    await settled();
    expect(await shapes.of([tool('often'), tool('long'), tool('deep')], undefined)).toEqual([
      { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
      undefined,
      { type: 'string' },
    ]);
  });
});
