import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const app = fileURLToPath(new URL('../../apps/nexus/', import.meta.url));

interface Listing {
  readonly name: string;
  readonly tools: { readonly name: string; readonly listing: { readonly name: string } }[];
}

/** A copy of the built app that lists this many tools more, removed at the end. */
export function withMoreTools(count: number): Disposable & { readonly main: string } {
  // Beside the bundle, so that it finds the same packages.
  const folder = join(app, '.bench-dist');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  remove();
  cpSync(join(app, 'dist'), folder, { recursive: true });
  // In whatever quotes the bundler chose.
  const listed = /JSON\.parse\((['"`])(\[\{"name":"\w+","runs".*?\])\1\)\.map/s;
  const chunks = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const file = chunks.find((name) => listed.test(readFileSync(join(folder, name), 'utf8')));
  if (file === undefined) throw new Error('the built app has no listing of its plugins; build it first');
  const code = readFileSync(join(folder, file), 'utf8');
  writeFileSync(
    join(folder, file),
    code.replace(listed, (_, _quote, literal: string) => {
      const plugins = JSON.parse(unescaped(literal)) as Listing[];
      return `JSON.parse(${JSON.stringify(JSON.stringify(padded(plugins, count)))}).map`;
    }),
  );
  return { main: join(folder, 'main.js'), [Symbol.dispose]: remove };
}

/** The real tools again under other names, in turn, so that each is as long as a real one. */
function padded(plugins: readonly Listing[], count: number): Listing[] {
  const real = plugins.flatMap((plugin) => plugin.tools.map((tool) => ({ plugin, tool })));
  const more = Array.from({ length: count }, (_, index) => {
    const { plugin, tool } = real[index % real.length] as (typeof real)[number];
    const name = `more${index}_${tool.name}`.slice(0, 48);
    return { plugin, tool: { ...tool, name, listing: { ...tool.listing, name } } };
  });
  return plugins.map((plugin) => ({
    ...plugin,
    tools: [...plugin.tools, ...more.filter((each) => each.plugin === plugin).map(({ tool }) => tool)],
  }));
}

function unescaped(literal: string): string {
  return literal.replace(/\\([\s\S])/g, (whole, char: string) =>
    '`$\\\'"'.includes(char) ? char : (JSON.parse(`"${whole}"`) as string),
  );
}
