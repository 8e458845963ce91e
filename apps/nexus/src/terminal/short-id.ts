import { type IdSort, idMeant } from '@nexus/primitives';

/** Of what is drawn at random, enough to tell it from all others of a project. */
const SHOWN = 8;

/**
 * An id as people are shown it and may write it: `run_0f12ab34` of `run_0f12ab34…`, `5b0c1d2e` of a UUID. Commands take
 * any beginning that means one thing alone.
 */
export function shortId(id: string): string {
  const [, kind, start] = /^(run_|job_|task_)([0-9a-f]{8})[0-9a-f]+$/.exec(id) ?? [];
  if (start !== undefined) return `${kind}${start}`;
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]+$/.test(id) ? id.slice(0, SHOWN) : id;
}

/**
 * An id as whoever reads standard output is to have it: short for a person at a terminal, and whole for a program, which
 * may hand it to a tool: those take whole ids alone.
 */
export function shownId(id: string, isPerson: boolean = process.stdout.isTTY === true): string {
  return isPerson ? shortId(id) : id;
}

/**
 * The one of these ids that a person means, by the whole of it or by a beginning that no other has.
 * @throws {Error} saying what is wrong with what was written, and how to go on
 */
export function idByPrefix(written: string, ids: Iterable<string>, sort: IdSort): string {
  const meant = idMeant(written, ids, sort);
  if ('fault' in meant) throw new Error(meant.fault);
  return meant.id;
}
