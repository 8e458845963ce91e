import type { ReadAs } from '../files/decode-text.ts';

/** For a file that is searched alone and says by no mark what it is; none for what rg reads by itself, or not at all. */
export function encodingArgs(readAs: ReadAs | undefined): string[] {
  const isOther = readAs === 'UTF-16LE' || readAs === 'UTF-16BE' || readAs === 'Windows-1252';
  return isOther ? [`--encoding=${readAs.toLowerCase()}`] : [];
}
