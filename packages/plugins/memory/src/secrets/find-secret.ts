import { looksLikeKey, looksLikePassword } from './looks-secret.ts';
import { tokenFormats } from './token-formats.ts';

/** A name, then `=`, `:`, `:=`, `=>` or "is", then one value without spaces, quoted or not. */
const OPERATOR = `["'\`]?(?:\\s*(?::=|=>|=|:)\\s*|\\s+is\\s+)["'\`]?`;
const VALUE = '(?<value>[^\\s"\'`,;]+)';
const PASSWORD = new RegExp(`(?:passw(?:or)?d|passphrase|passcode|pwd)s?${OPERATOR}${VALUE}`, 'gi');
const KEY = new RegExp(
  `(?:(?:api|access|account|app|auth|client|consumer|encryption|master|private|secret|service|shared|signing)[ _.-]?key|secret|token|credential|signature)s?${OPERATOR}${VALUE}`,
  'gi',
);
const AUTHORIZATION = /\b(?:bearer|basic)\s+(?<value>[\w.~+/=-]{16,})/gi;
const URL_PASSWORD = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]*:(?<value>[^\s/@]{3,})@/gi;
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
] as const;

/** @returns the kind of the first secret in the text, in words; undefined when there is none */
export function findSecret(text: string): string | undefined {
  const format = tokenFormats.find(({ pattern }) => pattern.test(text));
  if (format) return format.kind;
  return SITUATIONS.find(({ pattern, isSecret }) =>
    [...text.matchAll(pattern)].some(({ groups }) =>
      isSecret((groups?.value ?? '').replace(/[.)\]}>]+$/, '')),
    ),
  )?.kind;
}
