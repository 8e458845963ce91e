import type { ReadAs } from '../files/decode-text.ts';
import { createPause } from '../files/pause.ts';
import { sortInTurns } from '../files/sort-in-turns.ts';
import { encodingArgs } from './encoding-args.ts';
import { MAX_LISTED, plainPath } from './list-files.ts';
import { type Ripgrep, ripgrepRecords, sizeArg } from './run.ts';

export interface Matching {
  readonly text: string;
  readonly cwd: string;
  /** A file in `cwd` to search alone; all below `cwd` when absent. */
  readonly file?: string | undefined;
  readonly anyCase?: boolean;
  /** How the file is read that is searched alone. */
  readonly readAs?: ReadAs | undefined;
  readonly signal: AbortSignal;
}

/** Files that hold `text` literally, relative to `cwd`, sorted; at most about {@link MAX_LISTED}. */
export async function listMatching(
  ripgrep: Ripgrep,
  { text, cwd, file, anyCase, readAs, signal }: Matching,
): Promise<string[]> {
  const where = file === undefined ? './' : `./${file}`;
  const run = {
    args: [
      ...['--files-with-matches', '--null', '--fixed-strings', ...(anyCase ? ['--ignore-case'] : [])],
      ...[sizeArg(ripgrep), ...encodingArgs(readAs)],
    ],
    operands: [text, where],
    cwd,
    separator: '\0',
    signal,
  } as const;
  const files: string[] = [];
  for await (const batch of ripgrepRecords(ripgrep, run)) {
    for (const path of batch) files.push(plainPath(path));
    if (files.length > MAX_LISTED) break;
  }
  return sortInTurns(files, createPause());
}
