import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRecord } from '@nexus/core';
import { readTextSync } from '@nexus/primitives';
import { exports as resolveExports } from 'resolve.exports';
import { ENDINGS, isFile, moduleFiles } from './module-files.ts';

/** Where an import of a package leads from a folder, as the disk is now. */
export interface PackageImport {
  readonly specifier: string;
  /** Where something lies that may be it, nearest first, up to the first that has a file for it. */
  readonly places: readonly string[];
  /** What is looked at before that, and is not there. */
  readonly absent: readonly string[];
  /** package.json, and what else may be loaded of it. */
  readonly files: readonly string[];
  /** Whether a package.json above has its name, which may then stand for it. */
  readonly isOwn: boolean;
}

const MAX_BYTES = 1024 * 1024;
/** Runners differ in those that they set; each that a package tells apart may be what is loaded. */
const CONDITIONS = [
  ['node', 'import', 'module-sync', 'node-addons'],
  ['node', 'require', 'module-sync', 'node-addons'],
  ['node', 'import'],
  ['node', 'require'],
  ['bun', 'node', 'import'],
  ['deno', 'node', 'import'],
];

/** Looks for a package through the `node_modules` folders upward, as Node does, and at the package that it is in. */
export function packageImport(specifier: string, from: string): PackageImport {
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
  const below = `.${specifier.slice(name.length)}`;
  const folders = upward(from);
  const scopes = folders.map((folder) => join(folder, 'package.json'));
  const nearest = scopes.findIndex(isFile);
  const absent = scopes.slice(0, Math.max(nearest, 0));
  const scope = scopes[nearest];
  const places = scope === undefined ? [] : [scope];
  const own = scope === undefined ? undefined : described(scope);
  const files = own?.name === name ? exported(dirname(scope ?? ''), own, below) : [];
  for (const folder of folders) {
    const modules = join(folder, 'node_modules');
    const installed = join(modules, name);
    const alike = ENDINGS.map((ending) => join(modules, `${specifier}${ending}`));
    for (const place of [installed, ...alike]) (existsSync(place) ? places : absent).push(place);
    const found = [...(existsSync(installed) ? entries(installed, below) : []), ...alike.filter(isFile)];
    files.push(...found);
    if (found.some((file) => file !== join(installed, 'package.json'))) break;
  }
  const isOwn = scopes.some((file) => described(file)?.name === name);
  return { specifier, places, absent, files: [...new Set(files)], isOwn };
}

/** A folder, and each above it. */
export function upward(from: string): string[] {
  const parent = dirname(from);
  return parent === from ? [from] : [from, ...upward(parent)];
}

function entries(folder: string, below: string): string[] {
  const own = join(folder, 'package.json');
  const manifest = described(own);
  const listed = manifest === undefined ? [] : exported(folder, manifest, below);
  // What takes no notice of `exports` is given what was there before them.
  return [...(isFile(own) ? [own] : []), ...listed, ...moduleFiles(join(folder, below))];
}

function exported(folder: string, manifest: Readonly<Record<string, unknown>>, below: string): string[] {
  if (!manifest.exports) return [];
  return CONDITIONS.flatMap((conditions) => {
    try {
      const targets = resolveExports(manifest, below, { conditions, unsafe: true }) ?? [];
      return [...targets].flatMap((target) => moduleFiles(join(folder, target)));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return []; // it has nothing of that name
    }
  });
}

/** What a package.json says; undefined where it can't be read. */
export function described(file: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(readTextSync(file, MAX_BYTES));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `zod`, `@scope/server`, and what lies in one: `zod/v4`. */
export function isPackageName(specifier: string): boolean {
  return /^@?[\w-][\w.~-]*(?:\/|$)/.test(specifier);
}

/** Where a place really is; a link to nowhere is where it lies. */
export function realPlace(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    return place;
  }
}
