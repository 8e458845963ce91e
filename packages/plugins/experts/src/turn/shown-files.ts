import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Assignment,
  fence,
  filesDeclaring,
  type Host,
  type Name,
  namedFile,
  namedFileText,
  namesThere,
  outlineNamedFile,
  type Reference,
  type RunContext,
  readNamedFile,
  type ToolCaller,
} from '@nexus/plugin-sdk';
import type { ExpertTool } from './expert-tools.ts';
import { digestOf } from './references.ts';

/** A file of the project as a reading tool shows it when the turn begins; plain JSON. */
export interface ShownFile extends MeantFile {
  readonly text: string;
}

/** A file, and as much of it as is shown; plain JSON. */
interface MeantFile {
  readonly path: string;
  /** Those alone, as `40-80`; by default all. */
  readonly lines?: string;
  /** What it declares, and not what stands there. */
  readonly isOutline?: true;
}

/** The tools that an expert is shown files by; one that it may not use shows it none. */
export interface ReadingTools {
  readonly read: ExpertTool;
  readonly outline: ExpertTool | undefined;
}

/** Who is given more reads those that matter. */
const MAX_FILES = 4;
/** Of all together: what is more is read by whoever needs it, part by part. */
const MAX_CHARS = 60_000;
/** What is more is shown in part beside others, where lines of it are named or all have more than they may together. */
const LARGE_BYTES = 12_000;
/** Of all together: what is not shown whole is asked for whole, which costs a call and what was shown. */
const WHOLE_BYTES = 40_000;
/** Of a large one that declares nothing. */
const HEAD_LINES = '1-60';
/** On each side of lines that are named. */
const AROUND_LINES = 40;

/**
 * The files that an assignment names, so that its expert need not ask for each: those of the task itself, or else those
 * that declare the symbols that it names, or else of the facts and of what others found. A large one that is named beside
 * others is shown by the lines that are named, or where all of them are much by its outline. None where it names many, or where they are more than a
 * prompt holds well. Each is brought by a call of the tool that the expert itself would read it with, and is not shown
 * where that is refused.
 */
export async function shownFiles(
  assignment: Assignment,
  run: RunContext,
  given: ReadingTools,
): Promise<ShownFile[]> {
  const meant = await run.step(
    'files it is about',
    ({ tools }) => meantIn(assignment, { host: run.host, tools, outlines: given.outline !== undefined }),
    { title: 'finds what it is about' },
  );
  if (meant.length > MAX_FILES) return [];
  // As a path alone on records from before, when each was shown whole.
  const files = meant.map((file: MeantFile | string) => (typeof file === 'string' ? { path: file } : file));
  const read = await run.parallel(files.map((file) => () => partShown(file, run, given)));
  const texts = read.flatMap((each) => each ?? []);
  return texts.reduce((all, { text }) => all + text.length, 0) > MAX_CHARS ? [] : texts;
}

/** A file by what is meant of it; one of which no tool can say what it declares by how it begins. */
async function partShown(
  file: MeantFile,
  run: RunContext,
  given: ReadingTools,
): Promise<ShownFile | undefined> {
  const text = await shown(`shows ${file.path}`, file, { run, ...given });
  if (text !== null) return { ...file, text };
  if (!file.isOutline) return undefined;
  const head = { path: file.path, lines: HEAD_LINES };
  const begins = await shown(`shows how ${file.path} begins`, head, { run, ...given });
  return begins === null ? undefined : { ...head, text: begins };
}

/** What the tool answers of one, as a call of the model's would be on record; null where it is refused. */
function shown(
  name: string,
  file: MeantFile,
  { run, read, outline = read }: ReadingTools & { readonly run: RunContext },
): Promise<string | null> {
  const tool = file.isOutline ? outline : read;
  const bring = file.isOutline ? outlineNamedFile : readNamedFile;
  return run.step(
    name,
    async ({ tools, signal }) => {
      if (tools.find(tool.name)?.origin !== tool.origin) return null;
      const text = await bring(file, { host: run.host, tools });
      // What ended because the run was ended is no refusal to be kept.
      signal.throwIfAborted();
      return text ?? null;
    },
    {
      title: tool.name,
      input: { name: tool.name, arguments: argumentsOf(file) },
      isRepeatable: tool.isRepeatable,
    },
  );
}

/** Of those that are there and may be shown, from the project: what a link is called says nothing of where it leads. */
async function meantIn(
  { task, context = {}, earlier = [] }: Assignment,
  { host, tools, outlines }: { readonly host: Host; readonly tools: ToolCaller; readonly outlines: boolean },
): Promise<MeantFile[]> {
  const filesIn = async (text: string) => {
    const names = await namesThere(text, { project: host.project, tools });
    const files = new Map<string, Name[]>();
    for (const each of names) {
      if (each.kind !== 'file') continue;
      const path = each.file ?? each.name;
      files.set(path, [...(files.get(path) ?? []), each]);
    }
    return files;
  };
  const ofTask = await filesIn(task);
  const direct = ofTask.size > 0 ? ofTask : await filesOfSymbols(task, { host, tools });
  const facts = Object.values(context).filter((value) => typeof value === 'string');
  const named =
    direct.size > 0 ? direct : await filesIn([...facts, ...earlier.map(({ text }) => text)].join('\n\n'));
  if (named.size > MAX_FILES) return [...named.keys()].map((path) => ({ path }));
  const real = await Promise.all(
    [...named].map(async ([name, names]) => {
      const path = await namedFile(name, host);
      if (path === undefined) return [];
      const { size } = await stat(join(host.projectRoot, path));
      return [{ path, size, lines: linesOf(names) }];
    }),
  );
  const all = real.flat();
  const whole = all.flatMap(({ size, lines }) => (lines === undefined ? [size] : []));
  const isMuch = whole.reduce((sum, size) => sum + size, 0) > WHOLE_BYTES;
  const meant = all.map(({ path, size, lines }): MeantFile => {
    if (ofTask.size === 1 || size <= LARGE_BYTES) return { path };
    if (lines !== undefined) return { path, lines };
    if (!isMuch) return { path };
    return outlines ? { path, isOutline: true } : { path, lines: HEAD_LINES };
  });
  const byPath = new Map(meant.map((file) => [file.path, file]));
  // In one order, whoever names them.
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** As many as one expert alone is asked about. */
const MAX_SYMBOLS = 2;

/** The files that declare the symbols that a text names, of each where it is one file. */
async function filesOfSymbols(
  text: string,
  { host, tools }: { readonly host: Host; readonly tools: ToolCaller },
): Promise<ReadonlyMap<string, readonly Name[]>> {
  const names = await namesThere(text, { project: host.project, tools });
  const symbols = new Map(
    names.flatMap(({ kind, name, file }) => (kind === 'symbol' ? [[name, file] as const] : [])),
  );
  if (symbols.size > MAX_SYMBOLS) return new Map();
  const files = new Map<string, readonly Name[]>();
  for (const [symbol, known] of symbols) {
    const declaring = known === undefined ? await filesDeclaring(symbol, { tools }) : [known];
    const [only, ...others] = declaring ?? [];
    if (only !== undefined && others.length === 0) files.set(only, []);
  }
  return files;
}

/** The lines of a file that its names are about, with some around them; undefined where they name none. */
function linesOf(names: readonly Name[]): string | undefined {
  const lines = names.flatMap(({ line, endLine = line }) =>
    line === undefined || endLine === undefined ? [] : [line, endLine],
  );
  if (lines.length === 0) return undefined;
  const from = Math.max(1, Math.min(...lines) - AROUND_LINES);
  return `${from}-${Math.max(...lines) + AROUND_LINES}`;
}

const argumentsOf = ({ path, lines, isOutline }: MeantFile) =>
  isOutline ? { filePath: path } : { path, ...(lines !== undefined && { lines }) };

export function shownText({ path, lines, isOutline, text }: ShownFile): string {
  if (isOutline) return fence(`extract_symbols of ${path}, which is long: what it declares`, text);
  return namedFileText(lines === undefined ? path : `${path}, which is long: lines ${lines}`, text);
}

/** It was read, as if the expert had asked for it. */
export function shownReference(file: ShownFile): Reference {
  const { path, lines, isOutline, text } = file;
  return {
    tool: isOutline ? 'extract_symbols' : 'read_file',
    arguments: argumentsOf(file),
    path,
    ...(lines !== undefined && { lines }),
    digest: digestOf(text),
    isError: false,
  };
}
