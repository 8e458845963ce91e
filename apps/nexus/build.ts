import { rm } from 'node:fs/promises';
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
await rm('dist', { recursive: true, force: true });
await build({
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
  banner: {
    // CommonJS code inside the bundle may ask for Node's own modules by require.
    js: "import { createRequire as nexusCreateRequire } from 'node:module'; const require = nexusCreateRequire(import.meta.url);",
  },
});
