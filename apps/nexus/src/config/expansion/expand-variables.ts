import { isRecord } from '@nexus/core/json-type';
import { ExpansionError, type MissingVariable } from './expansion-error.ts';
import { VARIABLE } from './variable.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** An editor's name for the project's folder, which needs no environment; else a variable. */
const WORKSPACE_OR_VARIABLE = new RegExp(`\\$\\{workspaceFolder\\}|${VARIABLE.source}`, 'g');

/**
 * Replaces every `${VAR}` and `${VAR:-default}` in the strings of a value, at any depth. Keys and other
 * primitives stay as they are. A variable set to the empty string is set. What was put in is not expanded again.
 * @param workspaceFolder what `${workspaceFolder}` stands for; without one it stays as it is
 * @throws {ExpansionError} every variable that is unset and has no default
 */
export function expandVariables(value: unknown, environment: Environment, workspaceFolder?: string): unknown {
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
    return text.replace(WORKSPACE_OR_VARIABLE, (written, variable?: string, fallback?: string) => {
      if (variable === undefined) return workspaceFolder ?? written;
      const found = environment[variable] ?? fallback;
      if (found !== undefined) return found;
      missing.push({ variable, path: path.join('.') });
      return written;
    });
  }
}
