import { type Ripgrep, ripgrepRecords } from './run.ts';

export interface Listing {
  readonly cwd: string;
  readonly glob?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Every file below `cwd` that ignore files allow, relative to it, with forward slashes, sorted. A glob
 * of rg's would bring ignored files back, so the files are matched against the list made without it.
 */
export async function listFiles(ripgrep: Ripgrep, { cwd, glob, signal }: Listing): Promise<string[]> {
  const all = list(ripgrep, { cwd, signal }, []);
  const wanted = glob === undefined ? all : list(ripgrep, { cwd, signal }, globArgs(ripgrep, glob));
  const [allowed, files] = await Promise.all([all, wanted]);
  if (allowed === files) return files.sort();
  const isAllowed = new Set(allowed);
  return files.filter((file) => isAllowed.has(file)).sort();
}

/** Excluded globs come once more at the end, since the last one that matches decides. */
export function globArgs({ exclude }: Ripgrep, glob: string): string[] {
  return [`--glob=${glob}`, ...exclude.map((each) => `--glob=!${each}`)];
}

/** rg's `./a\b` as `a/b`. */
export function plainPath(path: string): string {
  const relative = path.replace(/^\.[\\/]/, '');
  return process.platform === 'win32' ? relative.replaceAll('\\', '/') : relative;
}

async function list(ripgrep: Ripgrep, { cwd, signal }: Listing, args: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  const run = { args: ['--files', '--null', ...args, '--', './'], cwd, separator: '\0', signal } as const;
  for await (const batch of ripgrepRecords(ripgrep, run)) {
    for (const path of batch) files.push(plainPath(path));
  }
  return files;
}
