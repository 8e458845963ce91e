import type { ToolHints } from '@nexus/plugin-sdk';

export const HINT_NAMES = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/**
 * What is wrong with a tool's hints, each with its fix; empty when nothing is. Only `readOnlyHint: false`
 * gives meaning to the next two (MCP 2025-11-25, ToolAnnotations), so the contradictions are errors.
 */
export function hintFaults(hints: Partial<ToolHints> | undefined): string[] {
  const missing = HINT_NAMES.filter((name) => typeof hints?.[name] !== 'boolean');
  if (missing.length > 0) return [`annotations lack ${missing.join(', ')}: state each as true or false`];
  const faults: string[] = [];
  if (hints?.readOnlyHint && hints.destructiveHint) {
    faults.push('readOnlyHint and destructiveHint are both true: a tool that only reads destroys nothing');
  }
  if (hints?.readOnlyHint && !hints.idempotentHint) {
    faults.push(
      'readOnlyHint is true and idempotentHint false: reading twice changes nothing, so state true',
    );
  }
  return faults;
}

/** May run again after its outcome was lost, since a second run leaves the same state. */
export function mayRetry(hints: ToolHints): boolean {
  return hints.readOnlyHint || hints.idempotentHint;
}

/** May stand in a bundle: operations there run in parallel and in no promised order. */
export function mayBundle(hints: ToolHints): boolean {
  return hints.readOnlyHint;
}

/** May take away what is there: no call of it is made with less than its caller wrote. */
export function mayDestroy(hints: ToolHints): boolean {
  return !hints.readOnlyHint && hints.destructiveHint;
}
