import type { CallContext } from '@nexus/plugin-sdk';
import { listFiles } from '../ripgrep/list-files.ts';
import { searchLines } from '../ripgrep/search-lines.ts';
import { displayPath } from '../roots/display-path.ts';
import { scopeOf } from '../roots/scope.ts';
import { type Target, targetsOf } from '../roots/targets.ts';
import type { CodeState } from '../state.ts';

export interface Missed {
  readonly pattern: string;
  readonly mode?: 'text' | 'regex' | 'symbol' | 'path';
  /** Whether it is a name, looked for as a whole word. */
  readonly isWord?: boolean;
  readonly glob?: string | undefined;
  readonly directory?: string | undefined;
  readonly targets: readonly Target[];
}

/** What would have found something, for an answer that is empty: another glob, another folder, another case. */
export async function whyNothing(missed: Missed, context: CallContext<CodeState>): Promise<string[]> {
  const { glob, targets } = missed;
  const wrongGlob = glob === undefined ? undefined : await whyNoFile(glob, targets, context);
  if (wrongGlob !== undefined) return [wrongGlob];
  const isOfLines = missed.mode !== 'symbol' && missed.mode !== 'path';
  return isOfLines ? await whyNoLine(missed, context) : await whyNoName(missed, context);
}

/** Where no file matches a glob: the same glob at any depth, and what it is relative to. */
export async function whyNoFile(
  glob: string,
  targets: readonly Target[],
  { state, host, signal }: CallContext<CodeState>,
): Promise<string | undefined> {
  if (glob.startsWith('!')) return undefined;
  const listed = async (each: string) => {
    const found: string[] = [];
    for (const { cwd } of targets) {
      const { files } = await listFiles(state.ripgrep, { cwd, glob: each, signal });
      const folder = displayPath(host.projectRoot, cwd);
      found.push(...files.map((file) => (folder === '' ? file : `${folder}/${file}`)));
    }
    return found;
  };
  if ((await listed(glob)).length > 0) return undefined;
  const bare = glob.replace(/^\.?\//, '');
  const deeper = bare.startsWith('**/') ? [] : await listed(`**/${bare}`);
  const [first] = deeper;
  const isOfFolder = targets.some(({ cwd, root }) => cwd !== root);
  const start = bare.includes('/') ? `, which counts from ${isOfFolder ? 'directory' : 'the root'}` : '';
  const from = `No file matches the glob ${glob}${start}.`;
  if (first === undefined) return from;
  return `${from} **/${bare} matches ${deeper.length}, such as ${first}.`;
}

async function whyNoLine(missed: Missed, context: CallContext<CodeState>): Promise<string[]> {
  const { pattern, mode, isWord, glob, targets } = missed;
  const anyCase = isWord
    ? `(?i)\\b${escaped(pattern)}\\b`
    : `(?i)${mode === 'regex' ? pattern : escaped(pattern)}`;
  const said: string[] = [];
  const otherCase = await linesOf({ pattern: anyCase, glob, targets }, context);
  if (otherCase.total > 0) {
    said.push(
      `In another case it is in ${otherCase.total} lines, such as ${otherCase.first}: search_codebase with mode "regex" and query ${JSON.stringify(anyCase)}.`,
    );
  }
  if (missed.directory === undefined && glob === undefined) return said;
  const everywhere = await targetsOf(undefined, await scopeOf(context));
  const same = isWord ? `\\b${escaped(pattern)}\\b` : mode === 'regex' ? pattern : escaped(pattern);
  const outside = await linesOf({ pattern: same, targets: everywhere }, context);
  if (outside.total > 0) {
    const left = [missed.directory === undefined ? [] : 'directory', glob === undefined ? [] : 'glob'].flat();
    said.push(`Without ${left.join(' and ')} it is in ${outside.total} lines, such as ${outside.first}.`);
  }
  return said;
}

async function whyNoName(
  { pattern, mode, directory, glob }: Missed,
  context: CallContext<CodeState>,
): Promise<string[]> {
  if (directory !== undefined || glob !== undefined) {
    return [
      `Nothing of that name is there; leave ${directory === undefined ? 'glob' : 'directory'} out to look everywhere.`,
    ];
  }
  if (mode === 'path' && /[*?]/.test(pattern)) {
    return ['The query is a part of a path and no pattern; list_files takes globs.'];
  }
  const lines = await linesOf(
    { pattern: escaped(pattern), targets: await targetsOf(undefined, await scopeOf(context)) },
    context,
  );
  return lines.total === 0
    ? []
    : [`As text it is in ${lines.total} lines, such as ${lines.first}: mode "text".`];
}

async function linesOf(
  { pattern, glob, targets }: Pick<Missed, 'pattern' | 'glob' | 'targets'>,
  { state, host, signal }: CallContext<CodeState>,
): Promise<{ readonly total: number; readonly first: string }> {
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
