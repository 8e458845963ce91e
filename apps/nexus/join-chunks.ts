import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { rolldown } from 'rolldown';
import { withDirectWays } from './direct-ways.ts';

/**
 * What each way to start loads: a bridge the first, an owner the second too, with a config the
 * third, and with its first call the fourth.
 * Node.js takes half a millisecond for each file that it loads, and the splitting makes some thirty of what these
 * share with other ways in.
 */
const STARTS = {
  join: ['src/main.ts', 'src/server/run-mode.ts', 'src/server/share.ts'],
  serve: ['src/server/small-heap.ts', 'src/server/serve-stdio.ts'],
  config: ['src/loaded-config/read-config.ts'],
  call: ['../../packages/core/src/call/dispatcher.ts'],
} as const;

/** Writes the bundle anew, what a start loads joined to one file; everything else stays as it was split. */
export async function joinChunks(
  { outputs }: Metafile,
  { names, from, to }: { readonly names: readonly string[]; readonly from: string; readonly to: string },
): Promise<readonly string[]> {
  const groups = new Map<string, string>();
  for (const [group, entries] of Object.entries(STARTS)) {
    for (const chunk of loadedBy(entries, outputs)) {
      // main waits for what it loads: in one file with that, it would wait for itself.
      if (chunk !== 'main.js' && !groups.has(chunk)) groups.set(chunk, group);
    }
  }
  const bundle = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, `${from}/${name}.js`])),
    platform: 'node',
    treeshake: false,
    preserveEntrySignatures: 'allow-extension',
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !/^[a-z]:[/\\]/i.test(id),
  });
  const { output } = await bundle.generate({
    format: 'esm',
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'part-[name]-[hash].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'starts', name: (id) => groups.get(basename(id)) ?? null }],
    },
  });
  const files = withDirectWays(output.filter((file) => file.type === 'chunk'));
  await mkdir(to, { recursive: true });
  await Promise.all([...files].map(([name, code]) => writeFile(join(to, name), code)));
  return [...files.keys()];
}

/** The files that loading these modules loads at once. */
function loadedBy(entries: readonly string[], outputs: Metafile['outputs']): Set<string> {
  const found = new Set<string>();
  const visit = (path: string) => {
    if (found.has(basename(path))) return;
    found.add(basename(path));
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && outputs[imported]) visit(imported);
    }
  };
  for (const entry of entries) {
    const [path] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry) ?? [];
    if (path === undefined) throw new Error(`${entry} is no file of its own in the bundle; mend STARTS`);
    visit(path);
  }
  return found;
}
