import type { Project } from '../project.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { ToolCaller } from '../tool-caller.ts';
import { type Name, namesIn } from './names-in.ts';

/** A place that a text names, and that is there. */
export interface FoundPlace {
  readonly file: string;
  /** Both ends included, from 1. */
  readonly from: number;
  readonly to: number;
  /** Those lines and some around them, each after its number and a tab. */
  readonly text: string;
}

/** A text held against the project. */
export interface NamesLookedUp {
  /** The text, with `(not found)` after each name of a file, a line or a symbol that is not there. */
  readonly marked: string;
  /** Those names, each once, in their order. */
  readonly missing: readonly string[];
  /** Files without a line among them. */
  readonly files: readonly string[];
  /** Lines that are named and there. */
  readonly places: readonly FoundPlace[];
}

/** What names are looked up in. */
export interface Ground {
  readonly project: Pick<Project, 'read'>;
  /** Finds files below the root, and symbols; without its search, only files from the root are looked up. */
  readonly tools?: ToolCaller;
  /** In the place of `tools`: the files in which something is found, undefined where nobody can tell. */
  readonly search?: (mode: 'path' | 'text', query: string) => Promise<readonly string[] | undefined>;
}

/** Lines on each side of a place that are shown. */
const AROUND_LINES = 8;
const MAX_PLACES = 20;
const MAX_SYMBOLS = 40;

/**
 * Looks up every file, line and symbol that a text names in the project, as one durable step. What the text has in
 * fenced code, in addresses, and what it calls `new:path` is no name of what is there.
 */
export function lookUpNames(run: RunContext, name: string, text: string): Promise<NamesLookedUp> {
  return run.step(name, ({ tools }) => lookUp(text, { project: run.host.project, tools }), {
    title: 'looks up what it names',
  });
}

/** As {@link lookUpNames}, without a run. */
export async function lookUp(text: string, ground: Ground): Promise<NamesLookedUp> {
  const names = namesIn(text);
  const search = ground.search ?? searchOf(ground.tools);
  const known = new Map<string, Promise<Found>>();
  let symbols = 0;
  const found: { readonly name: Name; readonly found: Found }[] = [];
  for (const name of names) {
    const key = `${name.kind} ${name.name}`;
    if (name.kind === 'symbol' && !known.has(key)) symbols += 1;
    if (name.kind === 'symbol' && symbols > MAX_SYMBOLS) continue;
    const looked =
      known.get(key) ??
      (name.kind === 'file' ? findFile(name.name, { ...ground, search }) : findSymbol(name.name, search));
    known.set(key, looked);
    found.push({ name, found: await looked });
  }
  const faults = found.map((each) => ({ ...each, fault: faultOf(each) }));
  const missing = faults.filter(({ fault }) => fault !== undefined);
  const there = faults.filter(({ fault }) => fault === undefined);
  return {
    marked: marked(text, missing),
    missing: [...new Set(missing.map(({ name }) => text.slice(name.from, name.to).replaceAll('`', '')))],
    files: [...new Set(there.flatMap(({ found: { file } }) => file ?? []))],
    places: placesOf(there),
  };
}

interface Found {
  readonly isThere: boolean | 'unknown';
  /** From the root. */
  readonly file?: string;
  readonly lines?: readonly string[];
}

type Search = NonNullable<Ground['search']>;

/** The files in which something is found; undefined where nobody can tell. */
function searchOf(tools: ToolCaller | undefined): Search {
  return async (mode, query) => {
    if (!tools?.find('search_codebase')) return undefined;
    const result = await tools.call('search_codebase', { arguments: { query, mode, limit: 20 } });
    const { hits } = (result.structuredContent ?? {}) as { hits?: readonly { file?: string }[] };
    return result.isError || !hits ? undefined : hits.flatMap(({ file }) => file ?? []);
  };
}

async function findFile(
  path: string,
  { project, search }: Ground & { readonly search: Search },
): Promise<Found> {
  const typed = path.replace(/^\.\//, '');
  const text = await project.read(typed);
  if (text !== undefined) return { isThere: true, file: typed, lines: linesOf(text) };
  const below = (await search('path', typed))?.filter((file) => `/${file}`.endsWith(`/${typed}`));
  if (below === undefined) return { isThere: typed.includes('/') ? false : 'unknown' };
  const [only] = below;
  const read = below.length === 1 && only !== undefined ? await project.read(only) : undefined;
  // Of several files of that name nobody knows which is meant.
  if (read === undefined || only === undefined) return { isThere: below.length > 0 };
  return { isThere: true, file: only, lines: linesOf(read) };
}

/** A line break at the end begins no other line. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

async function findSymbol(name: string, search: Search): Promise<Found> {
  const files = await search('text', name);
  return { isThere: files === undefined ? 'unknown' : files.length > 0 };
}

function faultOf({ name, found }: { readonly name: Name; readonly found: Found }): string | undefined {
  if (found.isThere === false) return 'not found';
  const { lines } = found;
  const last = Math.max(name.line ?? 0, name.endLine ?? 0);
  if (!lines || last <= lines.length) return undefined;
  return `not found: the file has ${lines.length} lines`;
}

const MARK = ' (not found';
const MARKS = / \(not found(?:: the file has \d{1,9} lines)?\)/g;

/** A text as its author wrote it: without the marks that a look-up has put into it. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, '');
}

function marked(
  text: string,
  missing: readonly { readonly name: Name; readonly fault: string | undefined }[],
): string {
  const parts: string[] = [];
  let at = 0;
  for (const { name, fault } of missing) {
    if (text.startsWith(MARK, name.to)) continue; // marked when it was looked up before
    parts.push(text.slice(at, name.to), ` (${fault})`);
    at = name.to;
  }
  return parts.join('') + text.slice(at);
}

function placesOf(there: readonly { readonly name: Name; readonly found: Found }[]): FoundPlace[] {
  const places = there.flatMap(({ name: { line, endLine = line }, found: { file, lines } }) => {
    if (line === undefined || endLine === undefined || file === undefined || !lines) return [];
    const start = Math.max(1, line - AROUND_LINES);
    const shown = lines.slice(start - 1, endLine + AROUND_LINES);
    const text = shown.map((each, index) => `${start + index}\t${each}`).join('\n');
    return [{ file, from: line, to: endLine, text }];
  });
  return [
    ...new Map(places.map((place) => [`${place.file}:${place.from}-${place.to}`, place])).values(),
  ].slice(0, MAX_PLACES);
}
