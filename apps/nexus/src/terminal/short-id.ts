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
 * The one of these ids that a beginning of it names, with or without what all of them begin with; undefined where none
 * begins so.
 * @throws {Error} naming those that it may mean, or that too little is written to mean one
 */
export function idByPrefix(written: string, ids: Iterable<string>): string | undefined {
  const start = bare(written.trim().replace(/(?:…|\.\.\.)$/, ''));
  if (start.length < MIN_CHARS) {
    if (![...ids].some((id) => start !== '' && bare(id).startsWith(start))) return undefined;
    throw new Error(`${written} is too little of an id: at least ${MIN_CHARS} characters of it are needed`);
  }
  const found = [...ids].filter((id) => bare(id).startsWith(start));
  const exact = found.find((id) => bare(id) === start);
  if (found.length <= 1 || exact !== undefined) return exact ?? found[0];
  const more = found.length > 5 ? ` and ${found.length - 5} more` : '';
  throw new Error(
    `several begin with ${written}: ${found.slice(0, 5).join(', ')}${more}; write more of the id`,
  );
}

/** Below this a few characters would name something by chance. */
const MIN_CHARS = 4;

const bare = (id: string) => id.toLowerCase().replace(/^(?:run|job|task)_/, '');
