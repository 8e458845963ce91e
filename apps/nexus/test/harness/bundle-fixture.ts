import { join } from 'node:path';
import { build } from 'esbuild';
import { testDir } from './app.ts';

/** Makes one file of a fixture's `index.ts`, as an author may ship it: it loads on any Node from any folder. */
export async function bundleFixture(name: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [join(testDir, 'fixtures', name, 'index.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    banner: {
      // CommonJS code inside the bundle may ask for Node's own modules by require.
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  });
}
