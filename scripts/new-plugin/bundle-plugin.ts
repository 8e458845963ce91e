import type { PluginNames } from './plugin-name.ts';

/**
 * `apps/nexus/src/plugins/bundled-plugins.ts` with one more plugin, imports and list in alphabetical order.
 * @throws {Error} when the file has not the form it is known in
 */
export function addToBundledPlugins(source: string, { variable, package: name }: PluginNames): string {
  const list = /(bundledPlugins: readonly AnyPlugin\[\] = \[)([^\]]*)(\])/;
  const listed = list.exec(source)?.[2];
  const line = /^import \w+ from '@nexus\/plugin-[\w-]+';\n/gm;
  const imports = (source.match(line) ?? []).filter((each) => !each.includes("'@nexus/plugin-sdk'"));
  const [first] = imports;
  if (listed === undefined || first === undefined) {
    throw new Error(
      `Can't add ${name} to apps/nexus/src/plugins/bundled-plugins.ts: it no longer lists imports and bundledPlugins.`,
    );
  }
  const variables = listed
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const sorted = [...imports, `import ${variable} from '${name}';\n`].sort(byPackage).join('');
  const at = source.indexOf(first);
  const rest = imports.reduce((text, each) => text.replace(each, ''), source);
  const withImports = rest.slice(0, at) + sorted + rest.slice(at);
  return withImports.replace(list, (_all, open: string, _listed, close: string) =>
    [open, [...variables, variable].sort().join(', '), close].join(''),
  );
}

function byPackage(a: string, b: string): number {
  const [first, second] = [a, b].map((line) => line.split("'")[1] ?? '') as [string, string];
  return first < second ? -1 : 1;
}

/** The app's package.json with one more plugin to bundle. */
export function addToManifest(manifest: string, { package: name }: PluginNames): string {
  const parsed = JSON.parse(manifest) as { devDependencies?: Record<string, string> };
  const entries = Object.entries({ ...parsed.devDependencies, [name]: 'workspace:*' });
  const devDependencies = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ ...parsed, devDependencies }, null, 2)}\n`;
}

/**
 * README.md with a row for one more plugin, in the table of what a host gets.
 * @param listed names of the plugins that have a row there
 * @throws {Error} when none of them has
 */
export function addToFrontPage(
  page: string,
  { plugin, tool }: PluginNames,
  listed: readonly string[],
): string {
  const lines = page.split('\n');
  const last = lines.findLastIndex((line) => listed.some((name) => line.startsWith(`| ${name} | `)));
  if (last < 0) throw new Error(`Can't add ${plugin} to README.md: no row of its tables names a plugin.`);
  return lines.toSpliced(last + 1, 0, `| ${plugin} | \`${tool}\`: say here what it is for |`).join('\n');
}
