import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type HttpServer, treeOf } from '../servers.ts';

/** What a process holds, and what it left on disk, at the end of a round. */
export const KINDS = {
  memory: 'memory, MB',
  descriptors: 'open descriptors',
  threads: 'threads',
  children: 'children',
  temporary: 'temporary files',
  others: 'other files of the data directory',
  database: 'database, kB',
  logs: 'logs, traces and audit trail, kB',
} as const satisfies Record<string, string>;

export type Footprint = Readonly<Record<keyof typeof KINDS, number>>;

export type Held = Pick<Footprint, 'memory' | 'descriptors' | 'threads' | 'children'>;

/** Of a process, which Linux tells. */
export function heldBy({ pid, rssMb }: HttpServer): Held {
  return {
    memory: rssMb(),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: Number(/^Threads:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
    children: treeOf(pid).length - 1,
  };
}

/** Of the disk, once the process is over. */
export function leftOnDisk({ dataDir, temporary }: { readonly dataDir: string; readonly temporary: string }) {
  const files = filesBelow(dataDir);
  const isDatabase = (path: string) => /\.(db|sqlite)(-\w+)?$/.test(path);
  // Each process has a chain of its own in the audit trail, which stays.
  const trail = join(dataDir, 'audit');
  const isLog = (path: string) => path.startsWith(trail) || /\.(jsonl|log)(\.\d+)?$/.test(path);
  const kilobytes = (some: readonly string[]) =>
    some.reduce((sum, path) => sum + statSync(path).size, 0) / 1_000;
  return {
    temporary: filesBelow(temporary).length,
    others: files.filter((path) => !isDatabase(path) && !isLog(path)).length,
    database: kilobytes(files.filter(isDatabase)),
    logs: kilobytes(files.filter(isLog)),
  };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}
