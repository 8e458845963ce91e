import library from 'canonicalize';
import { inOrder } from './in-order.ts';

/** The library's types say that its function is the member `default` of a module, which it is not. */
const canonicalize = library as unknown as (value: unknown) => string | undefined;

/**
 * RFC 8785's canonical JSON of a value; the empty text for what JSON has no text for. The library makes a text for
 * every value in it, which takes a third of a second for 150 000 objects; where the members are in order already, or
 * can be brought in it, JSON itself writes the same in a tenth of that.
 */
export function canonical(value: unknown): string {
  const ordered = inOrder(value);
  return ordered === undefined ? (canonicalize(value) ?? '') : JSON.stringify(ordered);
}
