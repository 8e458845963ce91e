import { createPause } from '../files/pause.ts';
import { sortInTurns } from '../files/sort-in-turns.ts';
import { type Ripgrep, ripgrepRecords, sizeArg } from './run.ts';

/** Beyond this many files a listing stops: memory has an end. */
export const MAX_LISTED = 1_000_000;

export interface Listing {
  readonly cwd: string;
  readonly glob?: string | undefined;
  /** Only files that are not too large to be read. */
  readonly isReadable?: boolean;
  readonly signal: AbortSignal;
}

export interface Listed {
  /** Relative to `cwd`, with forward slashes, sorted. */
  readonly files: readonly string[];
  /** False when the listing was ended at {@link MAX_LISTED}. */
  readonly isComplete: boolean;
}

/**
 * Every file below `cwd` that ignore files allow. A glob of rg's would bring ignored files back, so the
 * files are matched against the list made without it.
 */
export async function listFiles(ripgrep: Ripgrep, { glob, ...below }: Listing): Promise<Listed> {
  const pause = createPause();
  const all = list(ripgrep, below, []);
  if (glob === undefined) {
    const { files, isComplete } = await all;
    return { files: await sortInTurns(files, pause), isComplete };
  }
  const [allowed, wanted] = await Promise.all([all, list(ripgrep, below, globArgs(ripgrep, glob))]);
  const isAllowed = new Set<string>();
  for (const file of allowed.files) {
    isAllowed.add(file);
    await pause();
  }
  const files = wanted.files.filter((file) => isAllowed.has(file));
  return {
    files: await sortInTurns(files, pause),
    isComplete: allowed.isComplete && wanted.isComplete,
  };
}

/**
 * Excluded globs come once more at the end, since the last one that matches decides. `./` at the start means the folder
 * itself, which rg writes as `/`.
 */
export function globArgs({ exclude }: Ripgrep, glob: string): string[] {
  return [`--glob=${glob.replace(/^(!?)\.\//, '$1/')}`, ...exclude.map((each) => `--glob=!${each}`)];
}

/** rg's `./a\b` as `a/b`. */
export function plainPath(path: string): string {
  const relative = path.replace(/^\.[\\/]/, '');
  return process.platform === 'win32' ? relative.replaceAll('\\', '/') : relative;
}

async function list(
  ripgrep: Ripgrep,
  { cwd, isReadable, signal }: Listing,
  args: readonly string[],
): Promise<Listed> {
  const files: string[] = [];
  const options = ['--files', '--null', ...(isReadable ? [sizeArg(ripgrep)] : []), ...args];
  const run = { args: options, operands: ['./'], cwd, separator: '\0', signal } as const;
  for await (const batch of ripgrepRecords(ripgrep, run)) {
    for (const path of batch) files.push(plainPath(path));
    // Leaving the loop ends rg.
    if (files.length > MAX_LISTED) return { files: files.slice(0, MAX_LISTED), isComplete: false };
  }
  return { files, isComplete: true };
}
