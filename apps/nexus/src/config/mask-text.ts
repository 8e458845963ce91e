const MASK = '********';

const WORDS =
  '(?:secret|token|passw|passphrase|(?:api|access|private)[-_]?key|credential|authorization|cookie)';
const SCHEMES = '(?:Bearer|Basic|Token)\\s+';
/** `scheme://user:password@host`. */
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)([^\s/@]+)(?=@)/gi;
/** `--token=abc`, `API_KEY=abc`, `Authorization: Bearer abc`, `?access_token=abc`. */
const ASSIGNED = new RegExp(
  `((?:^|[\\s?&;,"'])[-\\w.]*${WORDS}[-\\w.]*\\s*[=:]\\s*["']?)((?:${SCHEMES})?[^\\s"'&#,;]+)`,
  'gi',
);
/** `?key=abc&sig=def`: in a URL these short names are enough. */
const QUERY = /([?&][\w.-]*(?:key|sig|signature|auth|code)[\w.-]*=)([^&#\s]+)/gi;
/** `--api-key abc`. */
const OPTION = new RegExp(`((?:^|\\s)--?[\\w-]*${WORDS}[\\w-]*\\s+)([^\\s-]\\S*)`, 'gi');
/** An Authorization header's value, long or mixed enough not to be prose. */
const CREDENTIALS = /(\b(?:Bearer|Basic)\s+)((?=\S*\d)[\w.~+/=-]{8,}|[\w.~+/=-]{20,})/gi;
const IN_CONTEXT = [URL_PASSWORD, ASSIGNED, QUERY, OPTION, CREDENTIALS];
/** What its issuer made recognisable, wherever it stands. */
const KNOWN_FORMAT =
  /\b(?:sk-[\w-]{16,}|(?:gh[opsur]|github_pat|glpat|xox[abeoprs]|npm|hf|sk_live|sk_test|rk_live|whsec|lin_api|ntn|gsk|pypi)[-_][\w-]{10,}|A[KS]IA[A-Z2-7]{16}|AIza[\w-]{35}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]+)/g;

const SCHEME = new RegExp(`^(?:${SCHEMES})?`, 'i');
const VARIABLE = /(\$\{[A-Z_][A-Z0-9_]*(?::-.*?)?\})/;

/** A text with what looks like a secret in it masked. `${VARIABLE}` stays, its default goes. */
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
  return replaced.replace(KNOWN_FORMAT, (secret) => replace(secret, ''));
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
