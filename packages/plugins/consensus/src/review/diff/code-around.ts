import type { Place } from '../findings/finding.ts';
import { shownLine } from './chunks.ts';
import { reviewedFiles } from './open-diff.ts';
import type { DiffFile } from './parse-diff.ts';

/** Lines on each side of a finding that whoever checks it sees. */
const AROUND_LINES = 60;

type Lines = Pick<Place, 'file' | 'side' | 'line' | 'endLine'>;

/** What of a diff stands around places in it; undefined for one in a file that it does not have. */
export function codeAround({
  diff,
  places,
}: {
  readonly diff: string;
  readonly places: readonly Lines[];
}): (string | undefined)[] {
  const files = new Map(reviewedFiles(diff).map((file) => [file.path, file]));
  return places.map((place) => {
    const file = files.get(place.file);
    return file && around(place, file);
  });
}

function around({ side, line, endLine }: Lines, { hunks }: DiffFile): string {
  const numberOf = (each: DiffFile['hunks'][number][number]) => (side === 'new' ? each.line : each.oldLine);
  const hunk = hunks.find((lines) => lines.some((each) => numberOf(each) === line)) ?? [];
  const first = hunk.findIndex((each) => numberOf(each) === line);
  const last = hunk.findIndex((each) => numberOf(each) === endLine);
  return hunk
    .slice(Math.max(0, first - AROUND_LINES), last + AROUND_LINES + 1)
    .map(shownLine)
    .join('\n');
}
