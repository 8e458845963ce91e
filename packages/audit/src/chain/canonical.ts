import library from 'canonicalize';

/** The library's types say that its function is the member `default` of a module, which it is not. */
const canonicalize = library as unknown as (value: unknown) => string | undefined;

/** RFC 8785's canonical JSON of a value; the empty text for what JSON has no text for. */
export function canonical(value: unknown): string {
  return canonicalize(value) ?? '';
}
