import { readdir, readFile as readText } from 'node:fs/promises';
import { faultLine } from '../definition/fault.ts';
import type { Room } from '../reading/room.ts';
import { shippedFolder } from './shipped-folder.ts';
import type { WorkflowEntry } from './workflow-entry.ts';

let entries: Promise<readonly WorkflowEntry[]> | undefined;

/** For all of them, on a machine that is busy too. */
const LIMIT_MS = 60_000;

/**
 * The workflows and graphs that come with Nexus, sorted by name; read once, and for all callers. In the room like
 * others: nothing in them means harm, and reading them all takes as long as reading something that does.
 */
export function shippedWorkflows(room: Room): Promise<readonly WorkflowEntry[]> {
  entries ??= readAll(room).catch((error: unknown) => {
    entries = undefined;
    throw error;
  });
  return entries;
}

async function readAll(room: Room): Promise<readonly WorkflowEntry[]> {
  const read = room.visit({ signal: new AbortController().signal, limitMs: LIMIT_MS });
  const names = await readdir(shippedFolder, { recursive: true });
  const files = names.filter((name) => name.endsWith('.yaml')).map((name) => name.replaceAll('\\', '/'));
  const found = await Promise.all(files.map((file) => readEntry(file, read)));
  return found.sort((a, b) => (a.definition.name < b.definition.name ? -1 : 1));
}

async function readEntry(file: string, read: ReturnType<Room['visit']>): Promise<WorkflowEntry> {
  const text = await readText(new URL(file, shippedFolder), 'utf8');
  const { definition, faults, work } = await read('readFile', text);
  if (!definition) throw new Error(faults.map((fault) => faultLine(file, fault)).join('\n'));
  return { definition, origin: 'shipped', file, work };
}
