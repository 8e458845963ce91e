import { MASK } from './mask.ts';
import { valueSearch } from './value-search.ts';

/** Each way in which a text that leaves may write a value. */
function spellings(value: string): string[] {
  const bytes = Buffer.from(value);
  return [
    value,
    // A message may quote one line of a key.
    ...value.split(/\r?\n/),
    JSON.stringify(value).slice(1, -1),
    encoded(value),
    bytes.toString('base64').replace(/(?<!=)=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}

/** A lone surrogate can't be encoded. */
function encoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Masks the values wherever they stand, however they are written, from `minLength` characters on. */
export function valueMask(values: Iterable<string>, minLength: number): (text: string) => string {
  const all = [...values].filter((value) => value.length >= minLength).flatMap(spellings);
  const secrets = all.filter((value) => value.length >= minLength);
  if (secrets.length === 0) return (text) => text;
  const search = valueSearch(secrets, minLength);
  return (text) => search.replace(text, MASK);
}
