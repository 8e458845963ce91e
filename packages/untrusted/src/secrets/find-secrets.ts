import { looksLikeKey, looksLikePassword } from './looks-secret.ts';
import { tokenFormats } from './token-formats.ts';

/** Where a secret stands in a text, and what it is in words. */
export interface FoundSecret {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** A name, then `=`, `:`, `:=`, `=>` or "is", then one value without spaces, quoted or not. */
const OPERATOR = `["'\`]?(?:\\s{0,20}(?::=|=>|=|:)\\s{0,20}|\\s{1,20}is\\s{1,20})["'\`]?`;
const VALUE = '(?<value>[^\\s"\'`,;]+)';
const PASSWORD = new RegExp(`(?:passw(?:or)?d|passphrase|passcode|pwd)s?${OPERATOR}${VALUE}`, 'gid');
const KEY = new RegExp(
  `(?:(?:api|access|account|app|auth|client|consumer|encryption|master|private|secret|service|shared|signing)[ _.-]?key|secret|token|credential|signature)s?${OPERATOR}${VALUE}`,
  'gid',
);
const AUTHORIZATION = /\b(?:bearer|basic)\s{1,20}(?<value>[\w.~+/=-]{16,})/dgi;
/** Whatever stands before the scheme: `+https://…` is a line of a patch, and `%20https://…` one of a log. */
const URL_PASSWORD = /\w:\/\/[^\s/:@]*:(?<value>[^\s/@]{3,})@/dg;
const PREFIXED_KEY = /(?<![A-Za-z0-9])(?<value>sk-[\w-]{16,400})/dg;
/** In a URL the place itself says that it is a password, so only what stands for one is let through. */
const URL_PLACEHOLDER =
  /^[$<{%[*]|^(?:passw(?:or)?d|pass|pw|secret|x+|your.*|.*example.*|change-?me|redacted)$/i;

const SITUATIONS = [
  { kind: 'a password', pattern: PASSWORD, isSecret: looksLikePassword },
  { kind: 'a key or token', pattern: KEY, isSecret: looksLikeKey },
  { kind: 'an Authorization header', pattern: AUTHORIZATION, isSecret: looksLikeKey },
  {
    kind: 'a password in a URL',
    pattern: URL_PASSWORD,
    isSecret: (value: string) => !URL_PLACEHOLDER.test(value),
  },
  { kind: 'an API key', pattern: PREFIXED_KEY, isSecret: looksLikeKey },
] as const;

/** Made when first needed: a start that says nothing needs none. */
let formats: readonly { readonly kind: string; readonly pattern: RegExp }[] | undefined;

/** What ends a sentence or closes a bracket after a value is not part of it. */
const AFTER_VALUE = /(?<![.)\]}>])[.)\]}>]+$/;

/** @returns the kind of the first secret in the text, in words; undefined when there is none */
export function findSecret(text: string): string | undefined {
  return findFormats(text).next().value?.kind ?? findSituations(text).next().value?.kind;
}

/** Every secret in the text, by its format or by where it stands; they may overlap. */
export function findSecrets(text: string): FoundSecret[] {
  return [...findFormats(text), ...findSituations(text)];
}

/** Secrets that their issuers made recognisable, wherever they stand. */
export function* findFormats(text: string): Generator<FoundSecret, undefined> {
  formats ??= tokenFormats.map(({ kind, pattern }) => ({ kind, pattern: new RegExp(pattern, 'g') }));
  for (const { kind, pattern } of formats) {
    for (const { 0: token, index } of text.matchAll(pattern)) {
      yield { kind, start: index, end: endOf(text, kind, index + token.length) };
    }
  }
}

function* findSituations(text: string): Generator<FoundSecret, undefined> {
  for (const { kind, pattern, isSecret } of SITUATIONS) {
    for (const { groups, indices } of text.matchAll(pattern)) {
      const value = (groups?.value ?? '').replace(AFTER_VALUE, '');
      const start = indices?.groups?.value?.[0] ?? 0;
      if (isSecret(value)) yield { kind, start, end: start + value.length };
    }
  }
}

/** A key's block goes to its last line, or to the end of what there is; a token to the end of its word. */
function endOf(text: string, kind: string, end: number): number {
  if (kind === 'a private key' || kind === 'a PuTTY private key') {
    const last = text.indexOf('-----END', end);
    const lineEnd = last === -1 ? -1 : text.indexOf('\n', last);
    return lineEnd === -1 ? text.length : lineEnd;
  }
  const rest = /[\w-]*/y;
  rest.lastIndex = end;
  return end + (rest.exec(text)?.[0].length ?? 0);
}
