import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

/** A file beyond this is told apart by size and time alone. */
const MAX_HASHED_BYTES = 16 * 1024 * 1024;

/** Content and mode by path, so that any change shows as a difference. */
export type Snapshot = Readonly<Record<string, string>>;

/** A small project, a home and a folder for temporary files, all of which a server may do with as it likes. */
export interface ThrowAwayPlace extends Disposable {
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  snapshot(): Promise<Snapshot>;
}

export function throwAwayPlace(): ThrowAwayPlace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-hints-')));
  const [project, home, temporary] = ['project', 'home', 'tmp'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [join(project, 'src'), home, temporary]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(project, 'README.md'), '# A project\n\nMade to see what tools do to it.\n');
  writeFileSync(join(project, 'src', 'index.js'), 'export const answer = 42;\n');
  return {
    project,
    env: {
      HOME: home,
      USERPROFILE: home,
      TMPDIR: temporary,
      TEMP: temporary,
      TMP: temporary,
      // What npx has downloaded is nobody's doing.
      npm_config_cache: process.env.npm_config_cache ?? join(homedir(), '.npm'),
    },
    snapshot: () => snapshotOf(root),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** The command as it is meant where it was typed: the server starts elsewhere. */
export function commandAnywhere(command: readonly string[], project: string): string[] {
  return command
    .map((word) => word.replaceAll('{project}', project))
    .map((word, index) => {
      const isPath = index === 0 ? word.includes('/') : !word.startsWith('-');
      return isPath && existsSync(word) ? resolve(word) : word;
    });
}

export function changedIn(before: Snapshot, after: Snapshot): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).sort();
}

async function snapshotOf(root: string): Promise<Snapshot> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const named = entries.map(async (entry) => {
    const file = join(entry.parentPath, entry.name);
    const name = relative(root, file);
    if (!entry.isFile()) return [name, entry.isDirectory() ? 'folder' : 'other'] as const;
    return [name, await contentOf(file)] as const;
  });
  return Object.fromEntries(await Promise.all(named));
}

async function contentOf(file: string): Promise<string> {
  try {
    const { size, mtimeMs, mode } = await stat(file);
    if (size > MAX_HASHED_BYTES) return `${mode} ${size} ${mtimeMs}`;
    const content = createHash('sha256').update(await readFile(file));
    return `${mode} ${content.digest('hex')}`;
  } catch {
    return 'gone'; // between the look at its folder and the one at it
  }
}
