import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** What stands in a folder because a tool put it there, whatever the language. */
const MADE = new Set([
  ...['node_modules', 'bower_components', 'vendor', 'target', 'dist', 'build', 'out', 'coverage'],
  ...['__pycache__', 'venv', 'env', 'site-packages', 'Pods', 'bin', 'obj'],
]);

const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ ts: 'TypeScript', tsx: 'TypeScript', mts: 'TypeScript', cts: 'TypeScript' },
  ...{ js: 'JavaScript', jsx: 'JavaScript', mjs: 'JavaScript', cjs: 'JavaScript' },
  ...{ py: 'Python', go: 'Go', rs: 'Rust', java: 'Java', kt: 'Kotlin', swift: 'Swift', rb: 'Ruby' },
  ...{ php: 'PHP', cs: 'C#', c: 'C', h: 'C', cc: 'C++', cpp: 'C++', hpp: 'C++', sh: 'Shell', zig: 'Zig' },
  ...{ scala: 'Scala', ex: 'Elixir', exs: 'Elixir', vue: 'Vue', svelte: 'Svelte', sql: 'SQL', dart: 'Dart' },
};

/** A glance, not a search: enough to tell what a project is. */
const MAX_ENTRIES = 5_000;
const MAX_DEPTH = 8;
const SHOWN_DEPTH = 2;
const MAX_SHOWN = 60;
const MAX_LANGUAGES = 4;

export interface Outline {
  /** The most frequent first. */
  readonly languages: readonly string[];
  /** Folders and the files at the top, with `/` after folders. */
  readonly places: readonly string[];
  /** Whether there is more than what `places` names. */
  readonly isCut: boolean;
}

/** What a project's folders are, in the order of their names. Links are not followed. */
export async function outlineOf(projectRoot: string): Promise<Outline> {
  const counts = new Map<string, number>();
  const places: string[] = [];
  let left = MAX_ENTRIES;
  let isCut = false;
  const folders: { readonly path: string; readonly shown: string; readonly depth: number }[] = [
    { path: projectRoot, shown: '', depth: 1 },
  ];
  for (let folder = folders.shift(); folder; folder = folders.shift()) {
    const { path, shown, depth } = folder;
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      left -= 1;
      if (left < 0) return { languages: mostFrequent(counts), places, isCut: true };
      const { name } = entry;
      if (entry.isFile()) {
        const language = LANGUAGES[extname(name).slice(1).toLowerCase()];
        if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
      }
      const isFolder = entry.isDirectory() && !name.startsWith('.') && !MADE.has(name);
      if (isFolder && depth < MAX_DEPTH) {
        folders.push({ path: join(path, name), shown: `${shown}${name}/`, depth: depth + 1 });
      }
      if (isFolder ? depth <= SHOWN_DEPTH : depth === 1 && entry.isFile() && !name.startsWith('.')) {
        if (places.length < MAX_SHOWN) places.push(`${shown}${name}${isFolder ? '/' : ''}`);
        else isCut = true;
      }
    }
  }
  return { languages: mostFrequent(counts), places: places.sort(), isCut };
}

function mostFrequent(counts: ReadonlyMap<string, number>): string[] {
  const ordered = [...counts].sort(([a, of], [b, than]) => than - of || (a < b ? -1 : 1));
  return ordered.slice(0, MAX_LANGUAGES).map(([language]) => language);
}
