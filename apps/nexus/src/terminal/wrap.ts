import stringWidth from 'string-width';

/** Characters that a line may break beside: those of scripts that are written without spaces. */
const BREAKS = /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])(?!\p{P})/u;

/** After each slash. */
const PATH_BREAKS = /(?<=[^/]\/)(?=[^/])/;

/** Between the members of JSON that is written without spaces; a comma that a string ends a part with comes before no quote. */
const JSON_BREAKS = /(?<=[\w"\]}],)(?=["[{])/;

/** Stands for a space at which no row is broken that has room for what is on both sides of it: no character of any text. */
export const KEPT_SPACE = '\ufdd0';

/** Columns that a text takes on a terminal: none for a style, two for a character of East Asia or a picture. */
export const shownWidth = (text: string): number => stringWidth(text);

/**
 * In rows of at most so many columns, broken between words; a path that is longer is broken beside its slashes, JSON
 * between its members, and any other word has a row of its own.
 * @param isWhole keeps paths and JSON whole too, as a shell needs them
 */
export function wrap(text: string, columns: number, { isWhole = false } = {}): string[] {
  const rows: string[] = [];
  let row = '';
  let width = 0;
  for (const word of wordsOf(text, columns)) {
    const isLong = !isWhole && shownWidth(word) > columns;
    const pieces = word.split(BREAKS).flatMap((part) => (isLong ? partsOf(part, columns) : [part]));
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
  return [...rows, row].map((each) => each.replaceAll(KEPT_SPACE, ' '));
}

function wordsOf(text: string, columns: number): string[] {
  return text.split(' ').flatMap((word) => (shownWidth(word) > columns ? word.split(KEPT_SPACE) : [word]));
}

function partsOf(word: string, columns: number): string[] {
  return word
    .split(JSON_BREAKS)
    .flatMap((part) =>
      shownWidth(part) > columns && !part.includes('://') ? part.split(PATH_BREAKS) : [part],
    );
}

/** What no row can be narrower than. */
export function widestPiece(text: string): number {
  return Math.max(0, ...wordsOf(text, 0).flatMap((word) => word.split(BREAKS).map(shownWidth)));
}
