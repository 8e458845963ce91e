import { ToolError } from '@nexus/plugin-sdk';

/** @throws {ToolError} NEXUS_PREREQUISITE naming what has not succeeded yet */
export function assertPrerequisites(
  tool: { readonly name: string; readonly requires: readonly string[] },
  succeeded: ReadonlySet<string>,
): void {
  const missing = tool.requires.filter((name) => !succeeded.has(name));
  if (missing.length === 0) return;
  const text = `${tool.name} wants ${missing.join(' and ')} to have succeeded first in this session.`;
  throw new ToolError('NEXUS_PREREQUISITE', text, { detail: { missing } });
}
