import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { withDirectImports } from './direct-imports.ts';
import { joinChunks } from './join-chunks.ts';
import manifest from './package.json' with { type: 'json' };
import { configSchema } from './src/config/config-schema.ts';
import { defaultConfig, ownSections } from './src/config/default-config.ts';
import { bundledPlugins } from './src/plugins/bundled-plugins.ts';
import { listPlugin } from './src/plugins/plugin-listing.ts';
import { selfPlugin } from './src/self-plugin/self-plugin.ts';

/** zod carries its messages in 50 languages, a third of the bundle; Nexus answers in English. */
const englishOnly: Plugin = {
  name: 'english-only',
  setup({ onLoad }) {
    onLoad({ filter: /zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

const PACKAGES = fileURLToPath(new URL('../../packages', import.meta.url));

/**
 * Modules that run in threads are files of their own, in the bundle as in the source; each has a name of its own. A recursive `readdir`
 * would go through the links of each package to all that is installed: a million files.
 */
async function workerModules(folder = PACKAGES): Promise<{ in: string; out: string }[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = entries.map((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : workerModules(path);
    return entry.name.endsWith('.worker.ts') ? [{ in: path, out: basename(path, '.ts') }] : [];
  });
  return (await Promise.all(found)).flat().sort((a, b) => (a.out < b.out ? -1 : 1));
}

/** Our own modules: each name is imported from where it is made, and threads lie beside every chunk that names them. */
const ownModules: Plugin = {
  name: 'own-modules',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\](packages|nexus[/\\]src)[/\\].*\.ts$/ }, async ({ path }) => {
      const source = withDirectImports(await readFile(path, 'utf8'), path);
      return { contents: source.replaceAll(/'\.\/([\w-]+\.worker)\.ts'/g, "'./$1.js'"), loader: 'ts' };
    });
  },
};

/** An expression that makes the value: JSON is parsed faster than the same as code. */
const written = (value: unknown) => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;

const loads = bundledPlugins.map(
  ({ name }) => `${JSON.stringify(name)}: async () => (await import('@nexus/plugin-${name}')).default`,
);

/** Where the workflows lie that come with Nexus: files, as users write them. */
const SHIPPED = 'workflows';

/** Where grammars lie that come with Nexus, each with its licence. */
const GRAMMARS = 'grammars';
const CARRIED = [['@tree-sitter-grammars/tree-sitter-zig', 'tree-sitter-zig']] as const;

/** Modules that the build works out, so that no start has to. */
const computed: Readonly<Record<string, string>> = {
  'plugins/bundled.ts': `
    const loads = { ${loads.join(', ')} };
    export const bundled = ${written(bundledPlugins.map(listPlugin))}.map((listed) => ({ ...listed, load: loads[listed.name] }));
    export const selfListing = ${written(listPlugin(selfPlugin(undefined)))};`,
  'config/default-config.ts': `
    export const defaultConfig = ${written(defaultConfig)};
    export const ownSections = ${written(ownSections)};`,
  'config/config-schema.ts': `export const configSchema = ${written(configSchema)};`,
  'syntax/carried-grammars.ts': `
    import { fileURLToPath } from 'node:url';
    export const carriedGrammar = (_from, file) => fileURLToPath(new URL('./${GRAMMARS}/' + file, import.meta.url));`,
  'catalogue/shipped-folder.ts': `
    export const shippedFolder = new URL('./${SHIPPED}/', import.meta.url);`,
};

const workedOut: Plugin = {
  name: 'worked-out',
  setup({ onLoad }) {
    for (const [path, contents] of Object.entries(computed)) {
      const filter = new RegExp(`[/\\\\]src[/\\\\]${path.replace('/', '[/\\\\]').replace('.', '[.]')}$`);
      onLoad({ filter }, ({ path: file }) => ({ contents, resolveDir: dirname(file), loader: 'js' }));
    }
  },
};

/**
 * Node's own modules as what `require` gives: an import of one has Node make a module of it, which reads every one of its
 * exports, those that load others included. That takes 8 ms of a start.
 */
const nodeModules: Plugin = {
  name: 'node-modules',
  setup({ onResolve, onLoad }) {
    const namespace = 'node-module';
    onResolve({ filter: /^(node:|[a-z])/ }, ({ path, kind }) =>
      kind === 'import-statement' && isBuiltin(path) ? { path, namespace } : undefined,
    );
    onLoad({ filter: /.*/, namespace }, ({ path }) => {
      const names = Object.keys(createRequire(import.meta.url)(path)).filter((name) => name !== 'default');
      const exports = names.map(
        (name) => `export const ${name} = /* @__PURE__ */ $of(${JSON.stringify(name)});`,
      );
      return {
        contents: `const $own = process.getBuiltinModule(${JSON.stringify(path)}); const $of = (name) => $own[name]; export default $own; ${exports.join(' ')}`,
        loader: 'js',
      };
    });
  },
};

/** Where the bundle lies before what a start loads is joined. */
const SPLIT = 'dist/split';

/**
 * One bundle, split so that each start loads only what it needs. What has a binary or finds its files
 * beside itself stays outside and is a real dependency of the package.
 */
const entryPoints = [{ in: 'src/main.ts', out: 'main' }, ...(await workerModules())];
const { metafile } = await build({
  entryPoints,
  outdir: SPLIT,
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
  plugins: [nodeModules, englishOnly, workedOut, ownModules],
  logLevel: 'warning',
  metafile: true,
  banner: {
    // CommonJS code inside the bundle may ask for Node's own modules by require.
    js: "import { createRequire as nexusCreateRequire } from 'node:module'; const require = (id) => nexusCreateRequire(import.meta.url)(id);",
  },
});

await rm(join('dist', SHIPPED), { recursive: true, force: true });
await cp(join(PACKAGES, 'plugins', 'workflows', 'templates'), join('dist', SHIPPED), { recursive: true });

await rm(join('dist', GRAMMARS), { recursive: true, force: true });
for (const [from, name] of CARRIED) {
  const folder = join(PACKAGES, 'plugins', 'code', 'node_modules', from);
  await cp(join(folder, `${name}.wasm`), join('dist', GRAMMARS, `${name}.wasm`));
  await cp(join(folder, 'LICENSE'), join('dist', GRAMMARS, `${name}.LICENSE`));
}

// What an earlier build left goes last, so that the command works at any moment.
const names = entryPoints.map(({ out }) => out);
const built = new Set([
  SHIPPED,
  GRAMMARS,
  ...(await joinChunks(metafile, { names, from: SPLIT, to: 'dist' })),
]);
for (const file of await readdir('dist'))
  if (!built.has(file)) await rm(join('dist', file), { recursive: true });
