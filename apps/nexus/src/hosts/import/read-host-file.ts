import { readFile } from 'node:fs/promises';
import { isRecord } from '@nexus/core';
import stripJsonComments from 'strip-json-comments';
import { ownershipFault } from '../../config/ownership.ts';

export type RawServer = Readonly<Record<string, unknown>>;

/** Keys under which hosts keep their servers. */
const SECTIONS = ['mcpServers', 'servers'] as const;

export interface HostServers {
  readonly general: Readonly<Record<string, RawServer>>;
  /** What Claude Code keeps for this project alone. */
  readonly ofProject: Readonly<Record<string, RawServer>>;
}

/**
 * The servers in a host's file, JSON with or without comments.
 * @returns undefined where the file is not there
 * @throws {Error} naming the file that can't be understood
 */
export async function readHostFile(file: string, projectRoot: string): Promise<HostServers | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
    const fault = ownershipFault(file);
    if (fault !== undefined) throw new Error(`${file} is not read, since ${fault}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const content = parse(text, file);
  const projects = isRecord(content.projects) ? content.projects : {};
  const ofProject = isRecord(projects[projectRoot]) ? projects[projectRoot] : {};
  const nested = isRecord(content.mcp) ? content.mcp : {};
  return { general: { ...serversOf(nested), ...serversOf(content) }, ofProject: serversOf(ofProject) };
}

function parse(text: string, file: string): Record<string, unknown> {
  const plain = stripJsonComments(text.replace(/^\uFEFF/, ''), { trailingCommas: true });
  let content: unknown;
  try {
    content = JSON.parse(plain || '{}');
  } catch {
    // The parser's own message may show a part of the file, and that a secret.
    throw new Error(`${file} is no JSON`);
  }
  if (!isRecord(content)) throw new Error(`${file} holds no object`);
  return content;
}

function serversOf(content: Readonly<Record<string, unknown>>): Record<string, RawServer> {
  const all = SECTIONS.flatMap((key) => (isRecord(content[key]) ? Object.entries(content[key]) : []));
  return Object.fromEntries(all.filter((entry): entry is [string, RawServer] => isRecord(entry[1])));
}
