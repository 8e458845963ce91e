import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Mutant } from './mutants.ts';

const engine = new URL('../../packages/engine/', import.meta.url);

/** The simulator and the engine as one file, with a fault put back if one is given. @returns its path */
export async function bundle(mutant?: Mutant): Promise<string> {
  const outfile = fileURLToPath(
    new URL(`node_modules/.cache/simulator/${mutant?.name ?? 'engine'}.mjs`, engine),
  );
  await build({
    entryPoints: [fileURLToPath(new URL('test/simulator/child.ts', engine))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['libsql'],
    sourcemap: 'inline',
    logLevel: 'warning',
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    plugins: mutant ? [unfrozen, putBack(mutant)] : [unfrozen],
  });
  return outfile;
}

/** The parts of statements need not be frozen in so many worlds. */
const unfrozen: Plugin = {
  name: 'unfrozen',
  setup(of) {
    of.onLoad({ filter: /kysely[\\/]dist[\\/]esm[\\/]util[\\/]object-utils\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace('return Object.freeze(obj)', 'return obj'),
      loader: 'js',
    }));
  },
};

function putBack({ name, patches }: Mutant): Plugin {
  return {
    name: 'a fault put back',
    setup(of) {
      of.onLoad({ filter: /packages[\\/]engine[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const mine = patches.filter(({ file }) =>
          path.replaceAll('\\', '/').endsWith(`packages/engine/src/${file}`),
        );
        if (mine.length === 0) return undefined;
        const contents = mine.reduce(
          (text, { file, from, to }) => {
            if (text.split(from).length !== 2)
              throw new Error(`mutant ${name}: ${file} has not one place with: ${from}`);
            return text.replace(from, () => to);
          },
          readFileSync(path, 'utf8'),
        );
        return { contents, loader: 'ts' };
      });
    },
  };
}
