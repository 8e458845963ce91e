import { type CallContext, type Fetched, isToolError, ToolError } from '@nexus/plugin-sdk';
import { readBytes } from '@nexus/primitives';
import { projectFile } from '../project-file.ts';
import type { Facts } from '../reading/facts.ts';
import type { FeedsState } from '../state.ts';
import { isUrl, type Publication } from '../vendors/vendor.ts';

/** What is here of a publication. */
export type Copy = Publication & {
  readonly state: 'read' | 'not_fetched' | 'unreadable';
  readonly why?: string;
  /** ISO 8601; of a file of the project there is none. */
  readonly fetchedAt?: string;
  readonly ageHours?: number;
  readonly sha256?: string;
  readonly facts?: Facts;
};

const MAX_BYTES = 10 * 1024 * 1024;
const HOUR_MS = 3_600_000;

/** Reads what was fetched before, or lies in the project. No connection is opened. */
export async function copyOf(publication: Publication, context: CallContext<FeedsState>): Promise<Copy> {
  const { state, host, signal } = context;
  const now = Date.now();
  try {
    if (!isUrl(publication.at)) {
      // What lies in the project is no less private for what it says.
      context.label({ privacy: 'private' });
      const text = await textOfFile(publication.at, context);
      return { ...publication, state: 'read', facts: await factsOf(text, now) };
    }
    const kept = await host.fetching.kept(publication.at);
    if (!kept) return { ...publication, state: 'not_fetched' };
    return {
      ...publication,
      state: 'read',
      ...whenFetched(kept, now),
      facts: await factsOf(new TextDecoder().decode(kept.body), kept.fetchedAt),
    };
  } catch (error) {
    if (signal.aborted || !isToolError(error)) throw error;
    return { ...publication, state: 'unreadable', why: error.message };
  }

  async function factsOf(text: string, at: number): Promise<Facts> {
    const room = await state.room();
    return room.visit({ signal })('publication', { kind: publication.kind, text, now: at });
  }
}

function whenFetched({ fetchedAt, sha256 }: Fetched, now: number) {
  return {
    fetchedAt: new Date(fetchedAt).toISOString(),
    ageHours: Math.round(((now - fetchedAt) / HOUR_MS) * 10) / 10,
    sha256,
  };
}

async function textOfFile(typed: string, context: CallContext<FeedsState>): Promise<string> {
  const { path } = await projectFile(typed, context);
  const read = await readBytes(path, MAX_BYTES);
  if (typeof read === 'string') throw new ToolError('NEXUS_FILE_UNREADABLE', `${typed} is ${read}.`);
  if ('tooLargeBytes' in read) {
    throw new ToolError(
      'NEXUS_FILE_UNREADABLE',
      `${typed} has ${read.tooLargeBytes} bytes; at most ${MAX_BYTES} are read. Cut it to its newest entries.`,
    );
  }
  return read.bytes.toString('utf8');
}
