import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** `from './a.js'`, `import './a.js'`, `import('./a.js')`, `require('./a.js')`. */
const RELATIVE_IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'](\.{1,2}\/[^"'\n]*)["']/g;
/** What `require` and those that run TypeScript add to a path that names no file. */
const COMPLETIONS = ['', '.js', '.cjs', '.mjs', '.json', '.ts', '.mts', '/index.js', '/index.ts'];
const MAX_FILES = 2_000;

/**
 * What importing a plugin loads of it: its entry, what that imports by a relative path, and so on. Packages
 * that it depends on are left out: they came by the user's own install.
 * @returns content by absolute path, in the order of the paths
 */
export function loadedFiles(entry: string): ReadonlyMap<string, string> {
  const contents = new Map<string, string>();
  const waiting = [entry];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const file = realpathSync(next);
    if (contents.has(file)) continue;
    // A plugin of more files than this is not told apart by all of them, so it is not told apart at all.
    if (contents.size >= MAX_FILES) throw new Error(`${entry} imports more than ${MAX_FILES} files`);
    const text = readFileSync(file, 'utf8');
    contents.set(file, text);
    if (!file.endsWith('.json')) waiting.push(...importsOf(text, dirname(file)));
  }
  return new Map([...contents].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function importsOf(text: string, folder: string): string[] {
  return [...text.matchAll(RELATIVE_IMPORT)].flatMap(([, path = '']) => {
    // TypeScript names a module by what it will be compiled to.
    const source = path.replace(/\.([cm]?)js$/, '.$1ts');
    const file = [...COMPLETIONS.map((ending) => `${path}${ending}`), source]
      .map((each) => resolve(folder, each))
      .find(isFile);
    return file ? [file] : [];
  });
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
