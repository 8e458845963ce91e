import { isRecord } from '@nexus/core/json-type';
import { ExpansionError, type MissingVariable } from './expansion-error.ts';
import { VARIABLE } from './variable.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Replaces every `${VAR}` and `${VAR:-default}` in the strings of a value, at any depth. Keys and other
 * primitives stay as they are. A variable set to the empty string is set. What was put in is not expanded again.
 * @throws {ExpansionError} every variable that is unset and has no default
 */
export function expandVariables(value: unknown, environment: Environment): unknown {
  const missing: MissingVariable[] = [];
  const expanded = expand(value, []);
  if (missing.length > 0) throw new ExpansionError(missing, expanded);
  return expanded;

  function expand(at: unknown, path: readonly string[]): unknown {
    if (typeof at === 'string') return expandText(at, path);
    if (Array.isArray(at)) return at.map((item, index) => expand(item, [...path, String(index)]));
    if (!isRecord(at)) return at;
    return Object.fromEntries(Object.entries(at).map(([key, item]) => [key, expand(item, [...path, key])]));
  }

  function expandText(text: string, path: readonly string[]): string {
    return text.replace(VARIABLE, (written, variable: string, fallback: string | undefined) => {
      const found = environment[variable] ?? fallback;
      if (found !== undefined) return found;
      missing.push({ variable, path: path.join('.') });
      return written;
    });
  }
}
