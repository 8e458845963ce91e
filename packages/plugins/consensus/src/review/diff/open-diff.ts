import { type Risk, riskOf } from '../risk/risk.ts';
import { type Chunk, chunksOf } from './chunks.ts';
import { type DiffFile, parseDiff } from './parse-diff.ts';
import { reasonToSkip } from './unreviewed.ts';

/** A file that is reviewed, without its lines. */
export type ReviewedFile = Pick<DiffFile, 'path' | 'isDeleted'> & { readonly risk: Risk };

/** What a review has to know of a diff before anybody reads it. */
export interface OpenDiff {
  readonly files: readonly ReviewedFile[];
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
  readonly chunks: readonly Chunk[];
}

/** @throws {ToolError} NEXUS_INVALID_ARGUMENTS for what is no unified diff */
export function openDiff(diff: string): OpenDiff {
  const skipped: { file: string; reason: string }[] = [];
  const files: (DiffFile & { readonly risk: Risk })[] = [];
  for (const file of parseDiff(diff)) {
    const reason = reasonToSkip(file);
    if (reason === undefined) files.push({ ...file, risk: riskOf(file) });
    else skipped.push({ file: file.path, reason });
  }
  return {
    files: files.map(({ path, isDeleted, risk }) => ({ path, isDeleted, risk })),
    skipped,
    chunks: chunksOf(files),
  };
}

/** The files of a diff that are reviewed, with their lines. */
export function reviewedFiles(diff: string): DiffFile[] {
  return parseDiff(diff).filter((file) => reasonToSkip(file) === undefined);
}
