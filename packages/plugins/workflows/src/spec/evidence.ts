import { readFile, realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isInside } from '../worktree/is-inside.ts';
import { findQuote } from './find-quote.ts';

/** What an expert says that a file holds. */
export interface Claim {
  readonly file: string;
  readonly line: number;
  readonly quote: string;
}

/** A claim, and whether it holds; `line` is where it really stands. */
export interface Evidence extends Claim {
  readonly isVerified: boolean;
  readonly fault?: string;
}

const MAX_CLAIMS = 50;
const MAX_LINE_CHARS = 2_000;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const HEADING = /^#{1,6}\s+evidence\b/i;
const CLAIM = /^\s*[-*]\s+`?([^`\s][^`:]*):(\d{1,7})(?:-\d{1,7})?`?\s*[:–—-]?\s*(.+)$/;

/** How an expert is to say what its answer rests on. */
export const EVIDENCE_FORM = [
  'End your answer with a section headed "## Evidence": one line for each place that shows that the requirement is met, as',
  '- path/from/the/project:LINE: the exact text of that line',
  'Each is looked up: one that does not stand there counts for nothing. Without any such place, write the heading and "none".',
].join('\n');

/** The claims that an answer ends with. */
export function claimsIn(output: string): Claim[] {
  const lines = output.split('\n');
  const start = lines.findLastIndex((line) => HEADING.test(line));
  if (start === -1) return [];
  return lines
    .slice(start + 1)
    .filter((line) => line.length <= MAX_LINE_CHARS)
    .flatMap((line) => {
      const [, file, number, quote] = CLAIM.exec(line) ?? [];
      if (file === undefined || number === undefined || quote === undefined) return [];
      return [{ file: file.trim(), line: Number(number), quote: unquoted(quote.trim()) }];
    })
    .slice(0, MAX_CLAIMS);
}

function unquoted(quote: string): string {
  const marks = /^(`+|"|“)([\s\S]*?)(`+|"|”)$/.exec(quote);
  return marks?.[2]?.trim() ?? quote;
}

/** Looks each claim up in the project. */
export function verifyClaims(
  claims: readonly Claim[],
  project: { readonly root: string; readonly privatePaths: readonly string[] },
): Promise<Evidence[]> {
  return Promise.all(claims.map((claim) => verifyClaim(claim, project)));
}

async function verifyClaim(
  claim: Claim,
  { root, privatePaths }: { readonly root: string; readonly privatePaths: readonly string[] },
): Promise<Evidence> {
  const failed = (fault: string) => ({ ...claim, isVerified: false, fault });
  const file = await realpath(resolve(root, claim.file)).catch(() => undefined);
  if (file === undefined) return failed('there is no such file');
  if (!isInside(root, file) || privatePaths.some((path) => isInside(path, file))) {
    return failed('it lies outside the project');
  }
  const stats = await stat(file);
  if (!stats.isFile() || stats.size > MAX_FILE_BYTES) return failed('it is no file that can be looked up');
  const found = findQuote(await readFile(file, 'utf8'), claim.quote, claim.line);
  if (!found) return failed('this text does not stand in the file');
  return { ...claim, line: found.from, isVerified: true };
}
