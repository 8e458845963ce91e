import { programEnvironment, ToolError } from '@nexus/plugin-sdk';

export interface GitOptions {
  readonly signal: AbortSignal;
  /** Exits that mean no failure; 0 always does. */
  readonly allowExits?: readonly number[];
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

/**
 * What holds for every call: no hook, monitor, signer or maintenance of the user's is started, and nothing asks a
 * person. The user's other settings count, such as filters for large files.
 */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.quotePath=false',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

const ENVIRONMENT = {
  GIT_TERMINAL_PROMPT: '0',
  // A look at the user's tree does not even refresh its index.
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_AUTHOR_NAME: 'Nexus',
  GIT_AUTHOR_EMAIL: 'nexus@localhost',
  GIT_COMMITTER_NAME: 'Nexus',
  GIT_COMMITTER_EMAIL: 'nexus@localhost',
  LC_ALL: 'C',
};

/**
 * Runs git in a folder.
 * @throws {GitFailure} with what git said; {ToolError} NEXUS_UNAVAILABLE without git; the signal's reason
 */
export async function git(cwd: string, args: readonly string[], options: GitOptions): Promise<string> {
  return (await gitExit(cwd, args, options)).output;
}

/** As {@link git}, and says by what it exited. */
export async function gitExit(
  cwd: string,
  args: readonly string[],
  { signal, allowExits = [] }: GitOptions,
): Promise<{ readonly exitCode: number; readonly output: string }> {
  signal.throwIfAborted();
  const { execa } = await import('execa');
  const ended = await execa('git', [...SETTINGS, ...args], {
    cwd,
    env: { ...programEnvironment([]), ...ENVIRONMENT },
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    stripFinalNewline: false,
    maxBuffer: MAX_OUTPUT_BYTES,
    timeout: TIMEOUT_MS,
    cancelSignal: signal,
    windowsHide: true,
  });
  signal.throwIfAborted();
  const { exitCode } = ended;
  if (exitCode === undefined) {
    if (ended.code !== 'ENOENT') throw new GitFailure(args, ended.shortMessage ?? 'it was ended');
    const text = `git can't be started in ${cwd}. Install it, and see that the folder is there.`;
    throw new ToolError('NEXUS_UNAVAILABLE', text);
  }
  if (exitCode !== 0 && !allowExits.includes(exitCode)) throw new GitFailure(args, ended.stderr.trim());
  return { exitCode, output: ended.stdout };
}

/** What git itself refused, in its words. */
export class GitFailure extends ToolError {
  constructor(args: readonly string[], said: string) {
    super('NEXUS_UNAVAILABLE', `git ${args[0] ?? ''} failed: ${said}`);
  }
}
