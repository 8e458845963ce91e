import { isRecord } from '@nexus/core';
import type { ToolHints } from '@nexus/plugin-sdk';

/**
 * The hints of a tool, with the protocol's defaults for what its server leaves out (MCP 2025-11-25,
 * `ToolAnnotations`). One that only reads destroys nothing and may run twice, whatever else is said.
 */
export function toolHints(annotations: unknown): ToolHints {
  const given = isRecord(annotations) ? annotations : {};
  const hint = (name: string, otherwise: boolean) => {
    const value = given[name];
    return typeof value === 'boolean' ? value : otherwise;
  };
  const readOnlyHint = hint('readOnlyHint', false);
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint && hint('destructiveHint', true),
    idempotentHint: readOnlyHint || hint('idempotentHint', false),
    openWorldHint: hint('openWorldHint', true),
  };
}
