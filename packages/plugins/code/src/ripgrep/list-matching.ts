import { plainPath } from './list-files.ts';
import { type Ripgrep, ripgrepRecords } from './run.ts';

/** Files that hold `text` literally, relative to `cwd`, sorted. */
export async function listMatching(
  ripgrep: Ripgrep,
  { text, cwd, file, signal }: { text: string; cwd: string; file?: string | undefined; signal: AbortSignal },
): Promise<string[]> {
  const where = file === undefined ? './' : `./${file}`;
  const args = ['--files-with-matches', '--null', '--fixed-strings', '--', text, where];
  const files: string[] = [];
  for await (const batch of ripgrepRecords(ripgrep, { args, cwd, separator: '\0', signal })) {
    for (const path of batch) files.push(plainPath(path));
  }
  return files.sort();
}
