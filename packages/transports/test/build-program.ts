import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles a test program, so that a process of it starts as fast as the product's own bundle. */
export async function buildProgram(name: string): Promise<string> {
  const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
  // Inside the package whose native part it loads.
  const outfile = path(`../../locks/node_modules/.cache/programs/${name}-${process.pid}.mjs`);
  process.once('exit', () => rmSync(outfile, { force: true }));
  await build({
    entryPoints: [path(`./programs/${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['fs-native-extensions'],
    logLevel: 'error',
  });
  return outfile;
}
