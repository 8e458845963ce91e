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
  // What is left of each file: one that is only named in passing is not brought.
  const brought = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const inputs = brought.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
  expect(inputs.filter((path) => path.includes('node_modules'))).toEqual([]);
  expect(inputs.length).toBeGreaterThan(20);
});
