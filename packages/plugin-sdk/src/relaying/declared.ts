import type { ToolCaller } from '../tool-caller.ts';

/** What is known of a tool's arguments. */
export interface Declared {
  readonly names: readonly string[];
  /** Whether it names none, and takes whatever comes. */
  readonly takesAny: boolean;
  readonly mayDestroy: boolean;
  /** Whether it says itself what is none of its arguments: a tool of Nexus's own does. */
  readonly isStrict: boolean;
}

export function declaredOf(tool: string, tools: Pick<ToolCaller, 'find'>): Declared {
  const found = tools.find(tool);
  const { properties, additionalProperties } = found?.inputSchema ?? {};
  const names = isObject(properties) ? Object.keys(properties) : [];
  return {
    names,
    takesAny: names.length === 0 && additionalProperties !== false,
    mayDestroy: found?.annotations.readOnlyHint !== true && found?.annotations.destructiveHint !== false,
    isStrict: found !== undefined && !found.origin.includes('__'),
  };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
