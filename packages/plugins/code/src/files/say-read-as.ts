import type { ReadAs } from './decode-text.ts';

/** What is said of a file that is not UTF-8: how its bytes were read. */
export function sayReadAs(shown: string, readAs: ReadAs): string {
  return readAs === 'faulty UTF-8'
    ? `${shown} has bytes that are no UTF-8; each stands here as \ufffd.`
    : `${shown} is not UTF-8 and has no mark of what it is; its bytes were read as ${readAs}.`;
}
