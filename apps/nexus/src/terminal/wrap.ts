import stringWidth from 'string-width';

/** Characters that a line may break beside: those of scripts that are written without spaces. */
const BREAKS = /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])(?!\p{P})/u;

/** After each slash. */
const PATH_BREAKS = /(?<=[^/]\/)(?=[^/])/;

/** Columns that a text takes on a terminal: none for a style, two for a character of East Asia or a picture. */
export const shownWidth = (text: string): number => stringWidth(text);

/**
 * In rows of at most so many columns, broken between words; a path that is longer is broken beside its slashes, and any
 * other word has a row of its own.
 * @param isWhole keeps paths whole too, as a shell needs them
 */
export function wrap(text: string, columns: number, { isWhole = false } = {}): string[] {
  const rows: string[] = [];
  let row = '';
  let width = 0;
  for (const word of text.split(' ')) {
    const isLongPath = !isWhole && shownWidth(word) > columns && !word.includes('://');
    const pieces = word.split(BREAKS).flatMap((part) => (isLongPath ? part.split(PATH_BREAKS) : [part]));
    for (const [index, piece] of pieces.entries()) {
      const gap = index === 0 && row !== '' ? ' ' : '';
      const wide = shownWidth(piece);
      if (row !== '' && width + gap.length + wide > columns) {
        rows.push(row);
        row = piece;
        width = wide;
      } else {
        row += gap + piece;
        width += gap.length + wide;
      }
    }
  }
  return [...rows, row];
}

/** What no row can be narrower than. */
export function widestPiece(text: string): number {
  return Math.max(0, ...text.split(' ').flatMap((word) => word.split(BREAKS).map(shownWidth)));
}
