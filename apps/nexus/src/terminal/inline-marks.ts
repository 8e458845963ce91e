import { styleText } from 'node:util';
import { KEPT_SPACE } from './wrap.ts';

export type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

export const styled: Paint = (style, text) => styleText(style, text, { validateStream: false });
export const unstyled: Paint = (_style, text) => text;

/**
 * What can be marked within a line: code, a link or a picture, strong, emphasised. Each is bounded, so that a line
 * of openers costs no more than its length; what has no end is shown as it was written.
 */
const MARKS =
  /`([^`]{1,1000})`|!?\[([^[\]]{0,500})\]\(([^()\s]{1,1000})\)|\*\*(?=\S)((?:(?!\*\*).){1,1000}?)(?<=\S)\*\*(?!\*)|(?<![\w*])\*(?=[^\s*])([^*]{1,1000}?)(?<=\S)\*(?![\w*])/gu;

/** A line with its marks shown, to be wrapped: by styles where there are any, and else by their absence. */
export function showMarks(text: string, paint: Paint): string {
  return text.replace(
    MARKS,
    (whole, code?: string, label?: string, url?: string, strong?: string, em?: string) => {
      // Its marks tell code from prose where no colour does. A command that is broken is copied as two.
      if (code !== undefined)
        return (paint === unstyled ? whole : paint('cyan', code)).replaceAll(' ', KEPT_SPACE);
      if (url !== undefined) return label === '' || label === url ? url : `${label} (${paint('dim', url)})`;
      if (strong !== undefined) return paint('bold', showMarks(strong, paint));
      return paint('italic', showMarks(em ?? '', paint));
    },
  );
}
