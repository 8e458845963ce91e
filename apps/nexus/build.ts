import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import manifest from './package.json' with { type: 'json' };

/** zod carries its messages in 50 languages, a third of the bundle; Nexus answers in English. */
const englishOnly: Plugin = {
  name: 'english-only',
  setup({ onLoad }) {
    onLoad({ filter: /zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/**
 * One bundle, split so that each start loads only what it needs. What has a binary or finds its files
 * beside itself stays outside and is a real dependency of the package.
 */
const { metafile } = await build({
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: false,
  chunkNames: 'chunk-[hash]',
  external: Object.keys(manifest.dependencies),
  plugins: [englishOnly],
  logLevel: 'warning',
  metafile: true,
  banner: {
    // CommonJS code inside the bundle may ask for Node's own modules by require.
    js: "import { createRequire as nexusCreateRequire } from 'node:module'; const require = nexusCreateRequire(import.meta.url);",
  },
});

// What an earlier build left goes last, so that the command works at any moment.
const built = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
for (const file of await readdir('dist'))
  if (!built.has(file)) await rm(join('dist', file), { recursive: true });
