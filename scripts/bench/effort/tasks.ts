import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export const sizes = ['small', 'middle', 'large'] as const;

export type Size = (typeof sizes)[number];

/** Files of the package that a task of this size is about; each is a part of the work of its own. */
const FILES: Readonly<Record<Size, readonly string[]>> = {
  small: ['lib/suggestSimilar.js'],
  middle: ['lib/argument.js', 'lib/option.js'],
  large: ['lib/argument.js', 'lib/option.js', 'lib/help.js', 'lib/suggestSimilar.js'],
};

/** One task on the package, the same for every kind of work. */
export interface Task {
  readonly size: Size;
  readonly files: readonly FileOfTask[];
}

export interface FileOfTask {
  readonly path: string;
  readonly text: string;
  /** A line of it that stands there once, and its number from 1. */
  readonly line: { readonly text: string; readonly number: number };
  /** What that line is changed to. */
  readonly mended: string;
}

/** The package as it is installed here, pinned by this repository's lock file. */
export function packageFiles(): Readonly<Record<string, string>> {
  const resolve = createRequire(new URL('../../../apps/nexus/package.json', import.meta.url)).resolve;
  const folder = dirname(resolve('commander'));
  const lib = readdirSync(join(folder, 'lib')).map((name) => `lib/${name}`);
  const paths = ['package.json', 'Readme.md', 'index.js', ...lib];
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

export function taskOf(size: Size, tree: Readonly<Record<string, string>>): Task {
  return { size, files: FILES[size].map((path) => fileOf(path, tree[path] ?? '')) };
}

function fileOf(path: string, text: string): FileOfTask {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => CODE.test(line) && text.split(line).length === 2);
  const line = lines[at];
  if (line === undefined) throw new Error(`${path} has no line of code that stands there once`);
  return { path, text, line: { text: line, number: at + 1 }, mended: `${line} // looked at` };
}

/** An assignment or a return on one line, so that a comment after it changes nothing. */
const CODE = /^\s+(?:this\.\w+ = |return |const \w+ = ).{8,};$/;
