import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { createStore } from './index.ts';

it('loads no database library before the first open', async () => {
  const store = createStore({ projectId: 'test', dataDir: tmpdir() });
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  expect(loaded.filter((path) => /[\\/]node_modules[\\/](libsql|pg)[\\/]/.test(path))).toEqual([]);
  await store.close();
});
