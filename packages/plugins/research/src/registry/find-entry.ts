import { type WorkId, workId } from '../identity/ids.ts';
import type { Paper } from './entries.ts';
import type { Contents } from './registry.ts';

/** What of an entry others are told. */
export type EntryName = {
  /** The entry's own id. */
  readonly entry: string;
  /** What is on record of its being withdrawn, and when that was asked. */
  readonly retraction?: { readonly status: string; readonly asOf: string };
};

export function idsOf({ id, ids, versions }: Pick<Paper, 'id' | 'ids' | 'versions'>): WorkId[] {
  return [...new Set([id, ...ids, ...versions.map((version) => version.id)])];
}

/** Papers and repositories of the registry by each id that they are known by. */
export function entriesById({
  papers,
  sources,
}: Pick<Contents, 'papers' | 'sources'>): Map<WorkId, EntryName> {
  const found = new Map<WorkId, EntryName>();
  for (const paper of papers) {
    const { retraction } = paper;
    const name: EntryName = {
      entry: paper.id,
      ...(retraction ? { retraction: { status: retraction.status, asOf: retraction.asOf } } : {}),
    };
    for (const id of idsOf(paper)) found.set(id, name);
  }
  for (const { id, url } of sources) {
    const repository = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/i.exec(url)?.[1];
    const of = repository === undefined ? workId(url) : workId(`github:${repository}`);
    if (of !== undefined && !found.has(of)) found.set(of, { entry: id });
  }
  return found;
}
