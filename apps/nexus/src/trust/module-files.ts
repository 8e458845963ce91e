import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isRecord } from '@nexus/core';
import { readTextSync } from '@nexus/primitives';

const MAX_BYTES = 1024 * 1024;
/** What Node, and those that run TypeScript, add to a path that names no file. */
export const ENDINGS = ['.js', '.json', '.node', '.cjs', '.mjs', '.ts', '.mts', '.cts', '.tsx', '.jsx'];
const INDEXES = ['index.js', 'index.json', 'index.node', 'index.cjs', 'index.mjs', 'index.ts', 'index.mts'];

/**
 * The files that a path may stand for where a module is loaded: itself, with an ending, its TypeScript source, or of a
 * folder what its package.json names and its index. All that are there, since runners differ in which they take.
 */
export function moduleFiles(path: string): string[] {
  const source = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  const near = [path, source, ...ENDINGS.map((ending) => `${path}${ending}`)].filter(isFile);
  return [...new Set([...near, ...folderFiles(path)])];
}

function folderFiles(folder: string): string[] {
  const own = join(folder, 'package.json');
  const main = isFile(own) ? mainOf(own) : undefined;
  const named = main === undefined ? [] : [resolve(folder, main)];
  const mains = named.flatMap((path) => [
    ...[path, ...ENDINGS.map((ending) => `${path}${ending}`)],
    ...INDEXES.map((index) => join(path, index)),
  ]);
  const indexes = [...INDEXES, '__main__.py'].map((index) => join(folder, index));
  return [own, ...mains, ...indexes].filter(isFile);
}

function mainOf(file: string): string | undefined {
  try {
    const described: unknown = JSON.parse(readTextSync(file, MAX_BYTES));
    return isRecord(described) && typeof described.main === 'string' ? described.main : undefined;
  } catch {
    return undefined; // Node takes the index then
  }
}

export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
