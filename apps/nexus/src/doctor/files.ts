import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '@nexus/primitives';
import { loadConfig } from '../loaded-config/load-config.ts';
import { age } from '../terminal/age.ts';
import type { Check } from './check.ts';
import { sizeText } from './size-text.ts';

/** How large what lies beside the database is, and how old: by each file or folder of the data directory. */
export const files: Check = {
  name: 'Files',
  async run(source) {
    const { dataDir } = await loadConfig(source);
    const sizes = namesIn(dataDir).map((name) => sizeOf(join(dataDir, name), name));
    const kept = sizes.filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes);
    if (kept.length === 0) return { status: 'ok', saw: `nothing in ${dataDir}` };
    const lines = kept.map(
      ({ name, bytes, number, oldestAt }) =>
        `${name}: ${sizeText(bytes)} in ${counted(number, 'file')}, ${number === 1 ? '' : 'the oldest '}${age(new Date(oldestAt).toISOString())} old`,
    );
    return { status: 'ok', saw: lines.join('\n      ') };
  },
};

interface Size {
  readonly name: string;
  readonly bytes: number;
  readonly number: number;
  /** Epoch milliseconds: when it was written last. */
  readonly oldestAt: number;
}

function sizeOf(path: string, name: string): Size {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) {
    const bytes = found?.isFile() ? found.size : 0;
    return { name, bytes, number: 1, oldestAt: found?.mtimeMs ?? Date.now() };
  }
  const below = namesIn(path)
    .map((each) => sizeOf(join(path, each), each))
    .filter(({ bytes }) => bytes > 0);
  return {
    name: `${name}/`,
    bytes: below.reduce((sum, { bytes }) => sum + bytes, 0),
    number: below.reduce((sum, { number }) => sum + number, 0),
    oldestAt: Math.min(Date.now(), ...below.map(({ oldestAt }) => oldestAt)),
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not made yet, or gone since
  }
}
