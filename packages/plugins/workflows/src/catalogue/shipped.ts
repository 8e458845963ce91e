import { readdir, readFile as readText } from 'node:fs/promises';
import { faultLine } from '../definition/fault.ts';
import { readFile } from '../definition/read-file.ts';
import { shippedFolder } from './shipped-folder.ts';
import type { WorkflowEntry } from './workflow-entry.ts';

let entries: Promise<readonly WorkflowEntry[]> | undefined;

/** The workflows and graphs that come with Nexus, sorted by name; read once. */
export function shippedWorkflows(): Promise<readonly WorkflowEntry[]> {
  entries ??= readAll();
  return entries;
}

async function readAll(): Promise<readonly WorkflowEntry[]> {
  const names = await readdir(shippedFolder, { recursive: true });
  const files = names.filter((name) => name.endsWith('.yaml')).map((name) => name.replaceAll('\\', '/'));
  const read = await Promise.all(files.map(readEntry));
  return read.sort((a, b) => (a.definition.name < b.definition.name ? -1 : 1));
}

async function readEntry(file: string): Promise<WorkflowEntry> {
  const { definition, faults, work } = readFile(await readText(new URL(file, shippedFolder), 'utf8'));
  if (!definition) throw new Error(faults.map((fault) => faultLine(file, fault)).join('\n'));
  return { definition, origin: 'shipped', file, work };
}
