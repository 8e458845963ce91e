import { maskLiteral, maskText } from './mask-text.ts';

const SECRET_KEY =
  /(secret|token|passw|passphrase|(?:api|access|private)[-_]?key|credential|authorization|cookie|[-_](?:key|pat|pass|pwd)$)/i;
/** Values there are for the server they belong to, whatever their keys are called. */
const PRIVATE_SECTION = /^(env|headers)$/;
/** An option of a command line whose value is the next argument. */
const SECRET_OPTION = /^--?[\w-]*(secret|token|passw|key|credential|auth)[\w-]*$/i;

/**
 * The same value with every secret masked: strings under a key that names one, what is under `env` and
 * `headers`, values of options, and what looks like a secret inside other texts. `${VARIABLE}` stays.
 * @param path of the value, where it is part of a larger one
 */
export function maskSecrets(value: unknown, path: readonly PropertyKey[] = []): unknown {
  return walk(value, path.some((key) => isPrivate(String(key))) ? maskLiteral : maskText);
}

function walk(value: unknown, maskOne: (text: string) => string): unknown {
  if (typeof value === 'string') return maskOne(value);
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      walk(item, isSecretArgument(value[index - 1], item) ? maskLiteral : maskOne),
    );
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, walk(item, isPrivate(name) ? maskLiteral : maskOne)]),
  );
}

/** Whether an argument is the value of the option before it, and that option names a secret. */
export function isSecretArgument(name: unknown, value: unknown): boolean {
  return typeof name === 'string' && SECRET_OPTION.test(name) && !/^-/.test(String(value));
}

/** Whether a key says that its value is a secret. */
export function isSecretName(key: string): boolean {
  return SECRET_KEY.test(key);
}

function isPrivate(key: string): boolean {
  return isSecretName(key) || PRIVATE_SECTION.test(key);
}
