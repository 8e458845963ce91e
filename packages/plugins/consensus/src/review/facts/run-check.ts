import type { ChildProcess } from 'node:child_process';
import spawn from 'cross-spawn';

/** A command of the project that the config allows. */
export interface Check {
  readonly name: string;
  readonly command: readonly string[];
  readonly timeoutMs: number;
}

export interface CheckResult {
  readonly name: string;
  /** `stopped`: it could not be started, or took too long. */
  readonly status: 'passed' | 'failed' | 'stopped';
  /** The end of what it printed, or why it was stopped. */
  readonly output: string;
}

const MAX_OUTPUT_CHARS = 4_000;

/** Where things are; nothing of the server's secrets. */
const ENVIRONMENT = [
  'APPDATA',
  'CI',
  'COMSPEC',
  'HOME',
  'HOMEDRIVE',
  'HOMEPATH',
  'LANG',
  'LC_ALL',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'TMPDIR',
  'TZ',
  'USER',
  'USERPROFILE',
];

/** Runs a check in the project; ended with everything that it started at its time, and with the signal. */
export async function runCheck(
  { name, command, timeoutMs }: Check,
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<CheckResult> {
  signal.throwIfAborted();
  const [program = '', ...args] = command;
  const env = Object.fromEntries(
    ENVIRONMENT.flatMap((key) => (process.env[key] === undefined ? [] : [[key, process.env[key]]])),
  );
  const isWindows = process.platform === 'win32';
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: !isWindows });
  let output = '';
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-MAX_OUTPUT_CHARS);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  let why: string | undefined;
  const end = (reason: string) => {
    why ??= reason;
    endTree(child, isWindows);
  };
  const timer = setTimeout(end, timeoutMs, `took longer than ${timeoutMs} ms`);
  const onAbort = () => end('the review was ended');
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    signal.throwIfAborted();
    if (why !== undefined) return { name, status: 'stopped', output: `${why}\n${output}` };
    return { name, status: code === 0 ? 'passed' : 'failed', output };
  } catch (error) {
    signal.throwIfAborted();
    return { name, status: 'stopped', output: `${program} can't be started: ${(error as Error).message}` };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function endTree({ pid }: ChildProcess, isWindows: boolean): void {
  if (pid === undefined) return;
  if (isWindows) {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' }).on('error', () => {});
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
