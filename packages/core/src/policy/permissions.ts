import { matchesName, ToolError } from '@nexus/plugin-sdk';

export interface Permissions {
  /** Tool names, `*` standing for any run of characters. Absent: every tool. */
  readonly allow?: readonly string[] | undefined;
  /** Wins over `allow`. */
  readonly deny: readonly string[];
}

/** Whether a tool of this name may be called; what may not is not listed either. */
export function isPermitted(toolName: string, permissions: Permissions): boolean {
  return refusal(toolName, permissions) === undefined;
}

/** @throws {ToolError} NEXUS_DENIED naming the pattern that decided */
export function assertPermitted(toolName: string, permissions: Permissions): void {
  const why = refusal(toolName, permissions);
  if (why !== undefined) throw new ToolError('NEXUS_DENIED', why);
}

function refusal(toolName: string, { allow, deny }: Permissions): string | undefined {
  const denied = deny.find((pattern) => matchesName(pattern, toolName));
  if (denied !== undefined) return `${toolName} is denied by permissions.deny "${denied}" in the config.`;
  if (allow && !allow.some((pattern) => matchesName(pattern, toolName))) {
    return `${toolName} is not among permissions.allow in the config.`;
  }
  return undefined;
}
