import { type CallContext, ToolError } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import { listFiles } from '../ripgrep/list-files.ts';
import { searchLines } from '../ripgrep/search-lines.ts';
import { displayPath } from '../roots/display-path.ts';
import { scopeOf } from '../roots/scope.ts';
import { type Target, targetsOf } from '../roots/targets.ts';
import type { CodeState } from '../state.ts';
import { findPaths } from './find-paths.ts';
import { findSymbols } from './find-symbols.ts';

export interface Missed {
  readonly pattern: string;
  readonly mode?: 'text' | 'regex' | 'symbol' | 'path';
  /** Whether it is a name, looked for as a whole word. */
  readonly isWord?: boolean;
  readonly glob?: string | undefined;
  readonly directory?: string | undefined;
  readonly targets: readonly Target[];
}

interface Found {
  readonly total: number;
  readonly first: string;
}

/** What would have found something, for an answer that is empty: another glob, another folder, another case. Each was tried. */
export async function whyNothing(missed: Missed, context: CallContext<CodeState>): Promise<string[]> {
  const { glob, targets } = missed;
  const wrong = glob === undefined ? undefined : await wrongGlob(glob, targets, context);
  if (!wrong) return await whyNotThere(missed, context);
  const isBetter =
    wrong.deeper !== undefined && (await found({ ...missed, glob: wrong.deeper }, context)).total > 0;
  return isBetter ? [wrong.deeperNote] : [wrong.note, ...(await whyNotThere(missed, context))];
}

/** Where no file matches a glob: the same glob at any depth or in another case, and what it is relative to. */
export async function whyNoFile(
  glob: string | undefined,
  targets: readonly Target[],
  context: CallContext<CodeState>,
): Promise<string | undefined> {
  if (glob === undefined) return NOTHING_THERE;
  const wrong = await wrongGlob(glob, targets, context);
  return wrong?.deeperNote ?? wrong?.note;
}

/** @returns undefined where the glob matches a file; `deeper` is what does in its place */
async function wrongGlob(
  glob: string,
  targets: readonly Target[],
  context: CallContext<CodeState>,
): Promise<
  | { note: string; deeper?: undefined; deeperNote?: undefined }
  | { note: string; deeper: string; deeperNote: string }
  | undefined
> {
  if ((await filesBy(glob, targets, context)).total > 0) return undefined;
  if (glob.startsWith('!')) return { note: await allLeftOut(glob, targets, context) };
  const bare = glob.replace(/^\.?\//, '');
  const isOfFolder = targets.some(({ cwd, root }) => cwd !== root);
  const start = bare.includes('/') ? `, which counts from ${isOfFolder ? 'directory' : 'the root'}` : '';
  const note = `No file matches the glob ${glob}${start}.`;
  for (const deeper of bare.startsWith('**/') ? [] : [`**/${bare}`]) {
    const { total, first } = await filesBy(deeper, targets, context);
    if (total > 0)
      return { note, deeper, deeperNote: `${note} ${deeper} matches ${total}, such as ${first}.` };
  }
  const { total, first } = bare.includes('[')
    ? NONE
    : await filesBy(glob.replace(/[a-z]/gi, inAnyCase), targets, context);
  return { note: total === 0 ? note : `${note} In another case it matches ${total}, such as ${first}.` };
}

const NONE: Found = { total: 0, first: '' };

function inAnyCase(letter: string): string {
  return `[${letter.toLowerCase()}${letter.toUpperCase()}]`;
}

/** Of a glob that begins with `!`, which says what is left out. */
async function allLeftOut(
  glob: string,
  targets: readonly Target[],
  context: CallContext<CodeState>,
): Promise<string> {
  const { total, first } = await filesBy(undefined, targets, context);
  if (total === 0) return NOTHING_THERE;
  return `The glob ${glob} leaves out all files (${total}), such as ${first}: a leading ! says what is not wanted.`;
}

const NOTHING_THERE = 'There is no file that ignore files leave.';

async function filesBy(
  glob: string | undefined,
  targets: readonly Target[],
  { state, host, signal }: CallContext<CodeState>,
): Promise<Found> {
  let total = 0;
  let first = '';
  for (const { cwd } of targets) {
    const { files } = await listFiles(state.ripgrep, { cwd, glob, signal });
    const [one] = files;
    if (one !== undefined && first === '') first = displayPath(host.projectRoot, `${cwd}/${one}`);
    total += files.length;
  }
  return { total, first };
}

async function whyNotThere(missed: Missed, context: CallContext<CodeState>): Promise<string[]> {
  const { pattern, mode, isWord, glob, directory, targets } = missed;
  const isOfLines = mode !== 'symbol' && mode !== 'path';
  const said: string[] = [];
  if (isOfLines) {
    const anyCase = `(?i)${patternOf(missed)}`;
    const otherCase = await linesOf({ pattern: anyCase, glob, targets }, context);
    if (otherCase.total > 0) {
      said.push(
        `In another case it is in ${counted(otherCase.total, 'line')}, such as ${otherCase.first}: search_codebase with mode "regex" and query ${JSON.stringify(anyCase)}.`,
      );
    }
  }
  if (mode === 'text') said.push(...(await asRegex({ pattern, glob, targets }, context)));
  if (directory !== undefined || glob !== undefined) {
    const everywhere = await targetsOf(undefined, await scopeOf(context));
    const outside = await found({ ...missed, glob: undefined, targets: everywhere }, context);
    const left = [directory === undefined ? [] : 'directory', glob === undefined ? [] : 'glob'].flat();
    const place = isOfLines ? 'line' : 'place';
    if (outside.total > 0) {
      said.push(
        `Without ${left.join(' and ')} it is in ${counted(outside.total, place)}, such as ${outside.first}.`,
      );
    }
  }
  if (isOfLines || isWord || said.length > 0) return said;
  if (mode === 'path' && /[*?]/.test(pattern)) {
    const { total, first } = await filesBy(pattern, targets, context);
    return total === 0
      ? []
      : [
          `The query is a part of a path and no pattern; as a glob of list_files it matches ${total}, such as ${first}.`,
        ];
  }
  const lines = await linesOf({ pattern: escaped(pattern), glob, targets }, context);
  return lines.total === 0
    ? []
    : [`As text it is in ${counted(lines.total, 'line')}, such as ${lines.first}: mode "text".`];
}

/** What hardly a text has and many a regular expression: `a|b`, `.*`, `\w`, `[a-z]`, `^a`, `a$`. */
const REGEX = /\w\|\w|[.\])][*+?]|\\[a-zA-Z.()]|\[\^?\w-\w|^\^|\$$/;

/** For a query that reads like a regular expression and was taken literally. */
async function asRegex(
  { pattern, glob, targets }: Pick<Missed, 'pattern' | 'glob' | 'targets'>,
  context: CallContext<CodeState>,
): Promise<string[]> {
  if (!REGEX.test(pattern)) return [];
  const taken = 'Mode text takes the query literally.';
  try {
    const { total, first } = await linesOf({ pattern, glob, targets }, context);
    if (total === 0) return [`${taken} As a regular expression it is in no line either.`];
    return [
      `${taken} As a regular expression it is in ${counted(total, 'line')}, such as ${first}: mode "regex".`,
    ];
  } catch (error) {
    if (context.signal.aborted || !(error instanceof ToolError)) throw error;
    return []; // It is none.
  }
}

/** What the same search finds by another glob or in other places. */
async function found(missed: Missed, context: CallContext<CodeState>): Promise<Found> {
  const { pattern, mode, glob, targets } = missed;
  if (mode !== 'symbol' && mode !== 'path')
    return await linesOf({ pattern: patternOf(missed), glob, targets }, context);
  const search = { query: pattern, glob, targets, context: 0, limit: 1, offset: 0 };
  const { total, hits } = await (mode === 'symbol'
    ? findSymbols(search, context)
    : findPaths(search, context));
  return { total, first: hits[0]?.file ?? '' };
}

/** What was looked for, as a regular expression of rg. */
function patternOf({ pattern, mode, isWord }: Missed): string {
  if (mode === 'regex') return pattern;
  return isWord ? `\\b${escaped(pattern)}\\b` : escaped(pattern);
}

async function linesOf(
  { pattern, glob, targets }: Pick<Missed, 'pattern' | 'glob' | 'targets'>,
  { state, host, signal }: CallContext<CodeState>,
): Promise<Found> {
  let total = 0;
  let first = '';
  for (const { cwd, file } of targets) {
    const found = await searchLines(state.ripgrep, { pattern, syntax: 'regex', cwd, file, glob, signal });
    const [one] = found.slice(0, 1);
    if (one && first === '') first = `${displayPath(host.projectRoot, `${cwd}/${one.file}`)}:${one.line}`;
    total += found.total;
  }
  return { total, first };
}

/** A text as a pattern of rg that matches it alone. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|#&~-]/g, '\\$&');
}
