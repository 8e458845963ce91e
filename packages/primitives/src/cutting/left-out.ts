import { OWN_SENTENCES } from './own-sentences.ts';

/**
 * The line that stands where something was left out.
 * @param uri where the whole is
 * @param also what else is to be known of what is left out
 */
export function leftOut(left: number, total: number, uri: string, also = ''): string {
  return OWN_SENTENCES.leftOut(left, total, uri + also);
}
