import type { RunContext } from '../runs/run-context.ts';
import { type Found, filesDeclaring, findFile, type Ground, type Search, searchOf } from './find-file.ts';
import { type Name, namesIn } from './names-in.ts';
import { type FileLines, mergedLines } from './seen-lines.ts';

/** Lines of a file as they stand there, each after its number and a tab. */
export interface Window extends FileLines {
  readonly text: string;
}

/** A text held against the project. */
export interface NamesLookedUp {
  /** The text, with `(not found)` after each name of a file, a line or a symbol that is not there. */
  readonly marked: string;
  /** Those names, each once, in their order. */
  readonly missing: readonly string[];
  /** Of these, files and lines: a symbol that is not there may be one to be made. Absent on records from before. */
  readonly missingFiles?: readonly string[];
  /** Files without a line among them. */
  readonly files: readonly string[];
  /** Lines that are named and there. */
  readonly places: readonly FileLines[];
  /** Those and some around them, each line once however many places are near it. Absent on records from before. */
  readonly windows?: readonly Window[];
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
  const search = searchOf(ground);
  const known = new Map<string, Promise<Found>>();
  let symbols = 0;
  const found: { readonly name: Name; readonly found: Found }[] = [];
  for (const name of names) {
    if (name.kind === 'symbol' && name.isBare) continue; // it does not say to be of the project
    const key = `${name.kind} ${name.name}`;
    if (name.kind === 'symbol' && !known.has(key)) symbols += 1;
    if (name.kind === 'symbol' && symbols > MAX_SYMBOLS) continue;
    const looked =
      known.get(key) ?? (name.kind === 'file' ? findFile(name.name, ground) : findSymbol(name.name, search));
    known.set(key, looked);
    const is = await looked;
    if (name.isBare && is.isThere !== true) continue;
    found.push({ name, found: is });
  }
  const faults = found.map((each) => ({ ...each, fault: faultOf(each) }));
  const missing = faults.filter(({ fault }) => fault !== undefined);
  const there = faults.filter(({ fault }) => fault === undefined);
  const places = placesOf(there);
  const linesOf = new Map(
    there.flatMap(({ found: { file, lines } }) => (file && lines ? [[file, lines]] : [])),
  );
  return {
    marked: marked(text, missing),
    missing: saidOf(missing, text),
    missingFiles: saidOf(
      missing.filter(({ name }) => name.kind === 'file'),
      text,
    ),
    files: [...new Set(there.flatMap(({ found: { file } }) => file ?? []))],
    places,
    windows: windowsOf(places, linesOf),
  };
}

/**
 * The names in a text, as {@link namesIn} has them, without the bare ones that the project does not have: there
 * `index.js` is a file, and `Node.js` none, and a symbol is one where it is declared. Files that surely are some, and symbols, are among them whether or not
 * they are there.
 */
export async function namesThere(text: string, ground: Ground): Promise<Name[]> {
  const names: Name[] = [];
  const known = new Map<string, Promise<Found>>();
  const declared = new Map<string, Promise<readonly string[] | undefined>>();
  for (const name of namesIn(text)) {
    if (name.kind === 'symbol') {
      if (name.isBare && !declared.has(name.name)) {
        if (declared.size === MAX_SYMBOLS) continue;
        declared.set(name.name, filesDeclaring(name.name, ground));
      }
      const files = name.isBare ? await declared.get(name.name) : undefined;
      const [file] = files?.length === 1 ? files : [];
      if (!name.isBare || (files ?? []).length > 0)
        names.push({ ...name, ...(file !== undefined && { file }) });
      continue;
    }
    const looked = known.get(name.name) ?? findFile(name.name, ground);
    known.set(name.name, looked);
    const { isThere, file } = await looked;
    if (name.isBare && isThere !== true) continue;
    names.push({ ...name, ...(file !== undefined && { file }) });
  }
  return names;
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
  return `not found: the file has ${lines.length === 1 ? '1 line' : `${lines.length} lines`}`;
}

const MARK = ' (not found';
const MARKS = / \((?:not found(?:: the file has \d{1,9} lines)?|nothing was run)\)/g;

/** A text as its author wrote it: without the marks that were put into it, of names and of what was not run. */
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

function saidOf(names: readonly { readonly name: Name }[], text: string): string[] {
  return [...new Set(names.map(({ name }) => text.slice(name.from, name.to).replaceAll('`', '')))];
}

function placesOf(there: readonly { readonly name: Name; readonly found: Found }[]): FileLines[] {
  const places = there.flatMap(({ name: { line, endLine = line }, found: { file, lines } }) =>
    line === undefined || endLine === undefined || file === undefined || !lines
      ? []
      : [{ file, from: line, to: endLine }],
  );
  return [
    ...new Map(places.map((place) => [`${place.file}:${place.from}-${place.to}`, place])).values(),
  ].slice(0, MAX_PLACES);
}

/** What stands around places, in the order of the files that are first named; windows that meet are one. */
function windowsOf(places: readonly FileLines[], linesOf: ReadonlyMap<string, readonly string[]>): Window[] {
  return [...new Set(places.map(({ file }) => file))].flatMap((file) => {
    const lines = linesOf.get(file) ?? [];
    const around = places
      .filter((place) => place.file === file)
      .map(({ from, to }) => ({
        file,
        from: Math.max(1, from - AROUND_LINES),
        to: Math.min(lines.length, to + AROUND_LINES),
      }));
    return mergedLines(around).map((window) => {
      const shown = lines.slice(window.from - 1, window.to);
      return { ...window, text: shown.map((line, at) => `${window.from + at}\t${line}`).join('\n') };
    });
  });
}
