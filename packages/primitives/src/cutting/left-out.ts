import { CUT_OPENS } from './own-words.ts';

/**
 * The line that stands where something was left out.
 * @param uri where the whole is
 * @param also what else is to be known of what is left out
 */
export function leftOut(left: number, total: number, uri: string, also = ''): string {
  return `${CUT_OPENS}${left} of ${total} characters left out; the whole text is the resource ${uri}${also} …]`;
}
