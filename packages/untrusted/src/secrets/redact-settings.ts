import { isPlainPathSetting } from './plain-path.ts';
import { isSecretArgument, isSecretName } from './secret-names.ts';
import { maskLiteral, maskText } from './written-secrets.ts';

/** Values there are for the server they belong to, whatever their keys are called. */
const PRIVATE_SECTION = /^(env|headers)$/;

/**
 * Settings for people, what is secret in them masked: strings under a key that names one, what is under `env` and
 * `headers` but for plain paths under names of paths, values of options, and what looks like a secret inside other
 * texts. `${VARIABLE}` stays.
 * @param path of the value, where it is part of a larger one
 */
export function redactSettings(value: unknown, path: readonly PropertyKey[] = []): unknown {
  const last = String(path.at(-1) ?? '');
  if (typeof value === 'string' && isPlainPathSetting(last, value)) return maskText(value);
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
    Object.entries(value).map(([name, item]) => {
      if (typeof item === 'string' && isPlainPathSetting(name, item)) return [name, maskText(item)];
      return [name, walk(item, isPrivate(name) ? maskLiteral : maskOne)];
    }),
  );
}

function isPrivate(key: string): boolean {
  return isSecretName(key) || PRIVATE_SECTION.test(key);
}
