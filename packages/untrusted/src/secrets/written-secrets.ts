import { findFormats } from './find-secrets.ts';
import { MASK } from './mask.ts';

const WORDS =
  '(?:secret|token|passw|passphrase|(?:api|access|private)[-_]?key|credential|authorization|cookie)';
const SCHEMES = '(?:Bearer|Basic|Token)\\s+';
/** `scheme://user:password@host`. */
const URL_PASSWORD = /([a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]*:)([^\s/@]+)(?=@)/gi;
/** `--token=abc`, `API_KEY=abc`, `Authorization: Bearer abc`, `?access_token=abc`. */
const ASSIGNED = new RegExp(
  `((?:^|[\\s?&;,"'])[-\\w.]{0,64}${WORDS}[-\\w.]{0,64}\\s{0,20}[=:]\\s{0,20}["']?)((?:${SCHEMES})?[^\\s"'&#,;]+)`,
  'gi',
);
/** `?key=abc&sig=def`: in a URL these short names are enough. */
const QUERY = /([?&][\w.-]{0,64}(?:key|sig|signature|auth|code)[\w.-]{0,64}=)([^&#\s]+)/gi;
/** `--api-key abc`. */
const OPTION = new RegExp(`((?:^|\\s)--?[\\w-]{0,64}${WORDS}[\\w-]{0,64}\\s{1,20})([^\\s-]\\S*)`, 'gi');
/** An Authorization header's value, long or mixed enough not to be prose. */
const CREDENTIALS = /(\b(?:Bearer|Basic)\s+)((?=\S*\d)[\w.~+/=-]{8,}|[\w.~+/=-]{20,})/gi;
const IN_CONTEXT = [URL_PASSWORD, ASSIGNED, QUERY, OPTION, CREDENTIALS];
const SCHEME = new RegExp(`^(?:${SCHEMES})?`, 'i');
/** With a default no longer than the expansion takes. */
const VARIABLE = /(\$\{[A-Z_][A-Z0-9_]*(?::-.{0,1000}?)?\})/;

/** A text of settings with what looks like a secret in it masked. `${VARIABLE}` stays, its default goes. */
export function maskText(text: string): string {
  return replaceSecrets(text, maskLiteral);
}

/**
 * The same text with every part that looks like a secret replaced.
 * @param replace takes the secret, variables in it included, and what stands before it, such as `--token=`
 */
export function replaceSecrets(text: string, replace: (secret: string, before: string) => string): string {
  const replaced = IN_CONTEXT.reduce(
    (so, pattern) =>
      so.replace(pattern, (_all, before: string, secret: string) => `${before}${replace(secret, before)}`),
    text,
  );
  const known = [...findFormats(replaced)].map(({ start, end }) => replaced.slice(start, end));
  return [...new Set(known)].reduce(
    (so, secret) => so.replaceAll(secret, () => replace(secret, '')),
    replaced,
  );
}

/** A text that is a secret, masked, but for variables and an authorization scheme in it. */
export function maskLiteral(text: string): string {
  return text
    .split(VARIABLE)
    .map((part) => {
      if (VARIABLE.test(part)) return part.replace(/:-.+\}$/s, `:-${MASK}}`);
      const { scheme, secret } = splitScheme(part);
      return secret === '' ? part : `${scheme}${MASK}`;
    })
    .join('');
}

/** `Bearer abc` in its two parts; the first is empty where there is none. */
export function splitScheme(text: string): { readonly scheme: string; readonly secret: string } {
  const [scheme = ''] = SCHEME.exec(text) ?? [];
  return { scheme, secret: text.slice(scheme.length) };
}
