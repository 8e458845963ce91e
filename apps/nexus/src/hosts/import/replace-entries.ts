import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isRecord } from '@nexus/core';

/** What a host's file keeps its servers under. */
const SECTIONS = ['mcpServers', 'servers'] as const;

export interface Replacement {
  /** Servers that Nexus has now. */
  readonly names: readonly string[];
  readonly projectRoot: string;
  /** How the host starts Nexus. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** What the servers need, by variable: a file gets those back that stood in it, and no other file's. */
  readonly values: Readonly<Record<string, string>>;
}

/** The file as it was before: beside it, and as closed to others as it is. */
export function backupOf(file: string): string {
  return `${file}.before-nexus`;
}

/**
 * Puts one entry for Nexus in the place of the servers that it has now; everything else stays.
 * @returns the names that were taken out, none where the file has none of them, and the variables that its entry has now
 * @throws {Error} for a file that can't be written anew without loss, or that has a backup already
 */
export function replaceEntries(
  file: string,
  replacement: Replacement,
): { readonly removed: readonly string[]; readonly given: readonly string[] } {
  const { text, removed, given } = withNexus(readFileSync(file, 'utf8'), file, replacement);
  if (removed.length === 0) return { removed, given: [] };
  const backup = backupOf(file);
  if (existsSync(backup))
    throw new Error(
      `${backup} is there already, from a replacement before: undo that by --undo, or remove the backup`,
    );
  copyFileSync(file, backup);
  writeFileSync(file, text);
  return { removed, given };
}

/** @returns whether there was a backup, which the file is now */
export function undoReplacement(file: string): boolean {
  if (!existsSync(backupOf(file))) return false;
  renameSync(backupOf(file), file);
  return true;
}

/** @throws {Error} for JSON with comments, which would be lost */
function withNexus(
  text: string,
  file: string,
  { names, projectRoot, entry, values }: Replacement,
): { readonly text: string; readonly removed: string[]; readonly given: string[] } {
  const content = parse(text, file);
  const own = Object.entries(values).filter(([, value]) => text.includes(JSON.stringify(value).slice(1, -1)));
  const start = own.length === 0 ? entry : { ...entry, env: Object.fromEntries(own) };
  const projects = isRecord(content.projects) ? content.projects : {};
  const removed: string[] = [];
  const given: string[] = [];
  let isThere = false;
  for (const holder of [content, content.mcp, projects[projectRoot]]) {
    if (!isRecord(holder)) continue;
    for (const key of SECTIONS) {
      const section = holder[key];
      if (!isRecord(section)) continue;
      const gone = names.filter((name) => Object.hasOwn(section, name));
      if (gone.length === 0) continue;
      const rest = Object.entries(section).filter(([name]) => !gone.includes(name));
      const nexus = key === 'servers' ? { type: 'stdio', ...start } : start;
      // One of them is enough: whichever the host reads first.
      const hasNexus = isThere || rest.some(([name]) => name === 'nexus');
      if (!hasNexus) given.push(...own.map(([name]) => name));
      (holder as Record<string, unknown>)[key] = Object.fromEntries(
        hasNexus ? rest : [...rest, ['nexus', nexus]],
      );
      isThere = true;
      removed.push(...gone);
    }
  }
  return { text: `${JSON.stringify(content, null, 2)}\n`, removed, given };
}

function parse(text: string, file: string): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (isRecord(content)) return content as Record<string, unknown>;
  } catch {
    // The parser's own message may show a part of the file, and that a secret.
  }
  throw new Error(
    `${file} has comments, or is no JSON: writing it anew would lose them. Take the servers out by hand, and paste what \`nexus init\` prints.`,
  );
}
