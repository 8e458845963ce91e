import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('brings nothing into a bridging process but Node and the plain parts of Nexus', async () => {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../index.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['fs-native-extensions'],
    metafile: true,
    write: false,
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.filter((path) => path.includes('node_modules'))).toEqual([]);
  expect(inputs.length).toBeGreaterThan(20);
});
