import { delimiter, dirname, isAbsolute } from 'node:path';
import { programEnvironment, ToolError } from '@nexus/plugin-sdk';
import { LostProgramError, runProgram, UnstartableError } from '@nexus/processes';
import { areHarmless } from './are-harmless.ts';
import { assertReadable } from './assert-readable.ts';
import { type Setting, usersOwnInPlace } from './users-own-in-place.ts';

/** Where git works. */
export interface WorkingTree {
  /** The folder that holds `.git`. No repository above it is taken for it, nor one below that nobody made one. */
  readonly treeTop: string;
  /** Below the top; the top itself by default. */
  readonly cwd?: string;
  /** A repository without a working tree, which the user named: none is looked for. */
  readonly gitDir?: string;
}

export interface GitOptions {
  readonly signal: AbortSignal;
  /** Exits that mean no failure; 0 always does. */
  readonly allowExits?: readonly number[];
}

const MAX_OUTPUT_CHARS = 64 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

/**
 * What holds for every call, whoever's setting says otherwise: no hook, monitor, signer or maintenance is started,
 * no repository counts that nobody made one, none below another is looked into, and nothing is fetched.
 */
const SETTINGS: readonly Setting[] = [
  ['safe.bareRepository', 'explicit'],
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.quotePath', 'false'],
  ['commit.gpgSign', 'false'],
  ['submodule.recurse', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];

const ENVIRONMENT = {
  GIT_TERMINAL_PROMPT: '0',
  // A look at the user's tree does not even refresh its index.
  GIT_OPTIONAL_LOCKS: '0',
  // Over any protocol's own setting: what a partial clone lacks stays away, and no program is started to get it.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_AUTHOR_NAME: 'Nexus',
  GIT_AUTHOR_EMAIL: 'nexus@localhost',
  GIT_COMMITTER_NAME: 'Nexus',
  GIT_COMMITTER_EMAIL: 'nexus@localhost',
  LC_ALL: 'C',
};

/** For each `git diff`: nothing but the difference, by git alone. */
export const PLAIN_DIFF = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=all',
] as const;

/**
 * Runs git in a repository, of whose own settings none runs code: the user's and the system's stand in their place.
 * @param args paths and revisions told apart by `--`
 * @throws {GitFailure} with what git said; {ToolError} NEXUS_UNAVAILABLE without git, or for a setting that can't be
 * kept from running code, NEXUS_FILE_UNREADABLE for a file of git's that is none; the signal's reason
 */
export async function git(tree: WorkingTree, args: readonly string[], options: GitOptions): Promise<string> {
  return (await gitExit(tree, args, options)).output;
}

/** As {@link git}, and says by what it exited. */
export async function gitExit(
  tree: WorkingTree,
  args: readonly string[],
  { signal, allowExits = [] }: GitOptions,
): Promise<{ readonly exitCode: number; readonly output: string }> {
  return run(tree, args, { signal, allowExits, settings: await settingsOf(tree, signal) });
}

/** Looked at before each call: a setting may hold in one worktree and not in another, and may be new. */
async function settingsOf(tree: WorkingTree, signal: AbortSignal): Promise<readonly Setting[]> {
  if (await isKnownHarmless(tree, signal)) return SETTINGS;
  const list = ['config', '--list', '--show-scope', '-z'];
  const listed = await run(tree, list, { signal, settings: SETTINGS });
  return [...usersOwnInPlace(listed.output), ...SETTINGS];
}

/**
 * Whether nothing of the repository's own runs code, by the texts of its settings alone. Then nothing is put in the
 * place of anything, and the user's settings need not be known.
 */
async function isKnownHarmless(tree: WorkingTree, signal: AbortSignal): Promise<boolean> {
  const { treeTop, cwd = treeTop, gitDir } = tree;
  // Elsewhere git may come upon the settings of another.
  if (cwd !== treeTop || gitDir !== undefined) return false;
  return areHarmless(assertReadable(treeTop), async (text) => {
    const list = ['config', '--file', '-', '--no-includes', '--list', '-z'];
    const options = { signal, allowExits: [128], settings: SETTINGS, input: text };
    const { exitCode, output } = await run(tree, list, options);
    return exitCode === 0 ? output : undefined;
  });
}

async function run(
  { treeTop, cwd = treeTop, gitDir }: WorkingTree,
  args: readonly string[],
  {
    signal,
    allowExits = [],
    settings,
    input,
  }: GitOptions & { readonly settings: readonly Setting[]; readonly input?: string },
): Promise<{ readonly exitCode: number; readonly output: string }> {
  signal.throwIfAborted();
  assertReadable(treeTop);
  const environment = {
    ...placesOnly(),
    ...ENVIRONMENT,
    ...asVariables(settings),
    GIT_CEILING_DIRECTORIES: dirname(treeTop),
    ...(gitDir !== undefined && { GIT_DIR: gitDir }),
  };
  const [stdout, stderr] = [outputOf(args), outputOf(args)];
  const { exitCode, isTimedOut } = await runProgram({
    command: 'git',
    args,
    cwd,
    environment,
    ...(input !== undefined && { input }),
    signal,
    timeoutMs: TIMEOUT_MS,
    stdout: stdout.add,
    stderr: stderr.add,
  }).catch((error: unknown) => {
    throw asToolError(error, { args, cwd });
  });
  if (isTimedOut) throw new GitFailure(args, `it took longer than ${TIMEOUT_MS / 1000} seconds`);
  if (exitCode === null) throw new GitFailure(args, 'it was ended from outside');
  if (exitCode !== 0 && !allowExits.includes(exitCode)) throw new GitFailure(args, stderr.text().trim());
  return { exitCode, output: stdout.text() };
}

/** What git prints, whole: half of a list or of a difference would be taken for all of it. */
function outputOf(args: readonly string[]): { add(text: string): void; text(): string } {
  const pieces: string[] = [];
  let chars = 0;
  return {
    add(text) {
      chars += text.length;
      if (chars > MAX_OUTPUT_CHARS) {
        throw new GitFailure(args, `it printed more than ${MAX_OUTPUT_CHARS} characters`);
      }
      pieces.push(text);
    },
    text: () => pieces.join(''),
  };
}

function asToolError(error: unknown, { args, cwd }: { args: readonly string[]; cwd: string }): unknown {
  if (error instanceof LostProgramError) return new GitFailure(args, error.message);
  if (!(error instanceof UnstartableError)) return error;
  const text = `git can't be started in ${cwd}. Install it, and see that the folder is there.`;
  return new ToolError('NEXUS_UNAVAILABLE', text, { cause: error });
}

/** A relative folder of the `PATH` would be one of the repository. */
function placesOnly(): Record<string, string> {
  const absolute = (path: string) => path.split(delimiter).filter(isAbsolute).join(delimiter);
  const places = Object.entries(programEnvironment([]));
  return Object.fromEntries(
    places.map(([name, value]) => [name, /^path$/i.test(name) ? absolute(value) : value]),
  );
}

/** As `-c` would set them, but for what may stand in a key. */
function asVariables(settings: readonly Setting[]): Record<string, string> {
  const pairs = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}

/** What git itself refused, in its words. */
export class GitFailure extends ToolError {
  constructor(args: readonly string[], said: string) {
    super('NEXUS_UNAVAILABLE', `git ${args[0] ?? ''} failed: ${said}`);
  }
}
