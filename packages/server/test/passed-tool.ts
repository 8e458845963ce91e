import type { RegisteredTool } from '@nexus/core';

/** A tool of another server as a session gets it: any arguments, its definition and results as they came. */
export function passedTool(run: RegisteredTool['run'], also: Partial<RegisteredTool> = {}): RegisteredTool {
  return {
    name: 'box__server__tool',
    plugin: 'box',
    origin: 'box__server__passed',
    listing: { odd: { kept: true }, name: 'box__server__tool', inputSchema: { type: 'object' } },
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    budget: 'model',
    isLong: false,
    requires: [],
    validate: (value) => ({ ok: true, value }),
    fits: () => false,
    run,
    ...also,
  };
}
