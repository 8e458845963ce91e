import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** These bring files of their own, or are the test runner itself. */
const NOT_BUNDLED = /^(libsql|fs-native-extensions|vitest|web-tree-sitter|esbuild)($|\/)/;

/** What is not bundled is loaded from where the file that names it finds it, wherever the bundle lies. */
const foundByTheirImporters: Plugin = {
  name: 'found-by-their-importers',
  setup({ onResolve, resolve }) {
    onResolve({ filter: NOT_BUNDLED }, async ({ path, pluginData, ...from }) => {
      if (pluginData === 'found') return undefined;
      const { importer, namespace, resolveDir, kind } = from;
      const found = await resolve(path, { importer, namespace, resolveDir, kind, pluginData: 'found' });
      return { path: pathToFileURL(found.path).href, errors: found.errors, external: true };
    });
  },
};

const CACHE = fileURLToPath(new URL('node_modules/.cache/programs/', import.meta.url));
const built = new Map<string, Promise<string>>();

/**
 * A program that a test starts as a process of its own, as one file that any Node reads, made once for each
 * process of tests: to have each process read the sources through tsx costs it two seconds of processor.
 */
export function bundleProgram(source: URL): Promise<string> {
  const known = built.get(source.href) ?? bundle(source);
  built.set(source.href, known);
  return known;
}

async function bundle(source: URL): Promise<string> {
  const entry = fileURLToPath(source);
  const outfile = join(CACHE, `${basename(entry, '.ts')}-${process.pid}.mjs`);
  process.once('exit', () => rmSync(outfile, { force: true }));
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    plugins: [foundByTheirImporters],
    logLevel: 'error',
    banner: {
      // CommonJS code inside the bundle may ask for Node's own modules by require.
      js: "import { createRequire as programRequire } from 'node:module'; const require = programRequire(import.meta.url);",
    },
  });
  return outfile;
}
