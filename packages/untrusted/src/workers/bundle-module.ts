import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const bundles = new Map<string, string>();

/**
 * A module of TypeScript as one file that Node 20 reads, made once for each process: a thread then starts
 * in some milliseconds. Only from source, never where Nexus is installed.
 */
export function bundleModule(module: URL): string {
  const known = bundles.get(module.href);
  if (known !== undefined) return known;
  const source = fileURLToPath(module);
  const folder = packageOf(source);
  // In the package, where what stays outside the bundle is found.
  const outfile = join(
    folder,
    'node_modules/.cache/threads',
    `${basename(source, '.ts')}-${process.pid}.mjs`,
  );
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild');
  buildSync({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: installedIn(folder),
    logLevel: 'error',
  });
  process.once('exit', () => rmSync(outfile, { force: true }));
  const { href } = pathToFileURL(outfile);
  bundles.set(module.href, href);
  return href;
}

function packageOf(file: string): string {
  let folder = dirname(file);
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** What may bring files of its own, such as WebAssembly; the workspace's own packages are source. */
function installedIn(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  return Object.keys(manifest.dependencies ?? {}).filter((name) => !name.startsWith('@nexus/'));
}
