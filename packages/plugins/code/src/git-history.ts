import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GitFailure, git, PLAIN_DIFF } from '@nexus/git';
import { type CallContext, defineTool, ToolError, textRoom } from '@nexus/plugin-sdk';
import { counted, cutEndCounted, OWN_SENTENCES, visibleContent, visibleLine } from '@nexus/primitives';
import { z } from 'zod';
import { lineRoom, linesThatFit } from './files/numbered-lines.ts';
import { commitOf } from './history/revision.ts';
import { treeOf, type VisibleTree } from './history/tree-of.ts';
import type { CodeState } from './state.ts';

const Revision = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9_@][\w./@{}^~-]*$/, 'must be a commit, branch or tag, such as HEAD~2')
  .optional();

/** Lines of a diff that tell of files, whose names git quotes in part only. */
const NAMES_A_FILE = /^(?:diff --git|--- "?a\/|\+\+\+ "?b\/|(?:rename|copy) (?:from|to)|Binary files) ?/;
const DEFAULT_COMMITS = 20;
const DEFAULT_LINES = 500;
/** One line each, without what the settings of anybody would add. */
const LOG = [
  'log',
  '--no-color',
  '--no-mailmap',
  '--no-show-signature',
  '--no-decorate',
  '--date=short',
  '--format=%h %ad %an: %s',
];
const SHOW = [
  'show',
  '--no-mailmap',
  '--no-show-signature',
  '--no-decorate',
  '--format=commit %H%n%ad %an%n%n%B',
  '--date=short',
];

export const gitHistory = defineTool({
  name: 'git_history',
  title: 'Read the git history',
  description:
    'What git knows of the project: log lists commits, show gives one with its diff, diff compares two commits or one with the working tree, blame says who wrote each line and when.',
  input: z.object({
    action: z.enum(['log', 'show', 'diff', 'blame']).describe('What to read.'),
    path: z.string().min(1).max(4_096).optional().describe('Only this file or folder; blame needs a file.'),
    ref: Revision.describe('Commit, branch or tag: default HEAD, in diff and blame the working tree.'),
    from: Revision.describe('For diff, what ref is compared with; for log, only commits since.'),
    lines: z
      .string()
      .max(30)
      .regex(/^\d{1,9}-\d{1,9}$/, 'must be a range: 40-80')
      .optional()
      .describe('For blame: 40-80.'),
    text: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('For log: only commits that brought or took this text.'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(2_000)
      .optional()
      .describe('Most commits (default 20) or lines (500).'),
    offset: z.number().int().min(0).max(1_000_000).default(0).describe('Commits or lines to skip.'),
  }),
  aliases: {
    commit: 'ref',
    sha: 'ref',
    revision: 'ref',
    branch: 'ref',
    file: 'path',
    since: 'from',
    count: 'limit',
  },
  output: z.object({ content: z.array(z.object({ type: z.literal('text'), text: z.string() })) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  answersWholeResult: true,
  async call(input, context: CallContext<CodeState>) {
    assertFits(input);
    const visible = await treeOf(input.path, context);
    const lines = (await read(input, visible, context.signal)).map((line) =>
      NAMES_A_FILE.test(line) ? visibleLine(line) : lineOf(line),
    );
    if (lines.length === 0 && visible.gone) throw visible.gone;
    return { content: [{ type: 'text' as const, text: await page(lines, input, context) }] };
  },
});

/** The end of a line of a file with Windows' line ends stays what it is. */
function lineOf(line: string): string {
  return line.endsWith('\r') ? `${visibleContent(line.slice(0, -1))}\r` : visibleContent(line);
}

interface Asked {
  readonly action: 'log' | 'show' | 'diff' | 'blame';
  readonly ref?: string | undefined;
  readonly from?: string | undefined;
  readonly lines?: string | undefined;
  readonly text?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset: number;
}

async function read(
  { action, ref, from, lines, text, limit, offset }: Asked,
  { tree, only, path, gone }: VisibleTree,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const commit = (revision: string) => commitOf(revision, tree, signal);
  const answer = async (args: readonly string[]) => {
    const output = await git(tree, args, { signal });
    return output === '' ? [] : output.replace(/\n$/, '').split('\n');
  };
  switch (action) {
    case 'log': {
      const since = from === undefined ? [] : [`^${await commit(from)}`];
      const search = text === undefined ? [] : [`-S${text}`, '--no-textconv'];
      return answer([
        ...LOG,
        `--max-count=${offset + mostOf({ action, limit }) + 1}`,
        ...search,
        await commit(ref ?? 'HEAD'),
        ...since,
        '--',
        ...only,
      ]);
    }
    case 'show':
      return answer([...SHOW, ...PLAIN_DIFF, await commit(ref ?? 'HEAD'), '--', ...only]);
    case 'diff': {
      const sides = [await commit(from ?? 'HEAD'), ...(ref === undefined ? [] : [await commit(ref)])];
      return answer(['diff', ...PLAIN_DIFF, ...sides, '--', ...only]);
    }
    case 'blame': {
      if (path === '') {
        throw new ToolError('NEXUS_INVALID_ARGUMENTS', 'blame needs path, the file whose lines it tells of.');
      }
      if (gone && ref === undefined) throw gone;
      if (!gone && (await stat(join(tree.treeTop, path)).catch(() => undefined))?.isDirectory()) {
        throw new ToolError(
          'NEXUS_INVALID_ARGUMENTS',
          `blame needs a file, and ${path} is a folder; log with path lists its commits.`,
        );
      }
      const range = lines === undefined ? [] : ['-L', lines.replace('-', ',')];
      const at = ref === undefined ? [] : [await commit(ref)];
      try {
        return await answer([
          ...['blame', '--no-textconv', '--date=short', '--abbrev=8'],
          ...[...range, ...at, '--', path],
        ]);
      } catch (error) {
        throw blameFault(error, { path, ref });
      }
    }
  }
}

/** Which arguments say something to which actions: one that would do nothing is a mistake. */
const ONLY_FOR = { from: ['diff', 'log'], text: ['log'], lines: ['blame'] } as const;

/** @throws {ToolError} NEXUS_INVALID_ARGUMENTS */
function assertFits(asked: Asked): void {
  for (const [name, actions] of Object.entries(ONLY_FOR)) {
    if (asked[name as keyof typeof ONLY_FOR] === undefined) continue;
    if (actions.some((action) => action === asked.action)) continue;
    const text = `${name} is for ${actions.join(' and ')}, and says nothing to ${asked.action}: leave it out.`;
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', text);
  }
}

/** What git says of a file that it can't tell the lines of, in words that say what to do. */
function blameFault(error: unknown, { path, ref }: { path: string; ref: string | undefined }): unknown {
  if (!(error instanceof GitFailure)) return error;
  const [, lines] = /has only (\d+) lines?/.exec(error.message) ?? [];
  if (lines !== undefined) {
    const text = `${path} has ${counted(Number(lines), 'line')}: lines must begin within them.`;
    return new ToolError('NEXUS_INVALID_ARGUMENTS', text, { cause: error });
  }
  if (!/no such path/.test(error.message)) return error;
  const where = ref === undefined ? 'in the last commit: it is not committed yet' : `in ${ref}`;
  return new ToolError('NEXUS_NOT_FOUND', `There is no ${path} ${where}.`, { cause: error });
}

/** Which part it is, and where cut lines are whole. */
const NOTES_CHARACTERS = 220;

async function page(
  all: readonly string[],
  { action, limit, offset }: Asked,
  { host, session, user }: Pick<CallContext, 'host' | 'session' | 'user'>,
): Promise<string> {
  if (all.length === 0) return `Nothing: ${NOTHING[action]}`;
  const to = offset + mostOf({ action, limit });
  const maxCharacters = textRoom(host.results) - NOTES_CHARACTERS;
  const lineChars = lineRoom(maxCharacters);
  const show = (line: string) => cutEndCounted(line, lineChars);
  const { text, last } = linesThatFit(all, {
    from: offset + 1,
    to: Math.min(all.length, to),
    maxCharacters,
    show,
  });
  // Of commits no more are asked for than show that there are more.
  const [what, total] = action === 'log' ? ['Commits', ''] : ['Lines', ` of ${all.length}`];
  if (last <= offset) {
    const there = counted(all.length, action === 'log' ? 'commit' : 'line');
    return `${OWN_SENTENCES.nothingAtOffset(offset)}there ${all.length === 1 ? 'is' : 'are'} ${there} in all.`;
  }
  const shown = all.slice(offset, last);
  const notes: string[] = [];
  if (offset > 0 || last < all.length) {
    const rest = last < all.length ? OWN_SENTENCES.offsetGivesNext(last) : '';
    notes.push(`${what} ${offset + 1} to ${last}${total}${rest}.`);
  }
  if (shown.some((line) => line.length > lineChars)) {
    const { uri } = await host.results.keep(
      { text: shown.join('\n'), mimeType: 'text/plain' },
      { session, user },
    );
    notes.push(OWN_SENTENCES.linesCut(lineChars, uri));
  }
  return [...notes, text].join('\n');
}

function mostOf({ action, limit }: Pick<Asked, 'action' | 'limit'>): number {
  return limit ?? (action === 'log' ? DEFAULT_COMMITS : DEFAULT_LINES);
}

const NOTHING = {
  log: 'no commit fits.',
  show: 'the commit has nothing there.',
  diff: 'there is no difference in what git tracks.',
  blame: 'the file is empty.',
} as const;
