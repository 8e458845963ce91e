import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { createStore } from './store.ts';

/** In a process of its own, since the other tests here load both libraries. */
const program = `
  import { createRequire } from 'node:module';
  import { createStore } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
  const store = createStore({ projectId: 'test', dataDir: ${JSON.stringify(tmpdir())} });
  console.log(JSON.stringify(Object.keys(createRequire(import.meta.url).cache)));
  await store.close();
`;

it('loads no database library before the first open', () => {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const args = ['--import', tsx, '--input-type=module', '--eval', program];
  const loaded = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as string[];
  expect(loaded.filter((path) => /[\\/]node_modules[\\/](libsql|pg)[\\/]/.test(path))).toEqual([]);
});

it('tells the time by one and the same node, of a test’s clock for as long as its time is the same', () => {
  const here = { projectId: 'test', dataDir: tmpdir() };
  const { now } = createStore(here);
  expect(now.toOperationNode()).toBe(now.toOperationNode());
  let time = 5;
  const { now: ofTest } = createStore({ ...here, testClock: () => time });
  const before = ofTest.toOperationNode();
  expect(ofTest.toOperationNode()).toBe(before);
  time = 6;
  expect(ofTest.toOperationNode()).not.toEqual(before);
});
