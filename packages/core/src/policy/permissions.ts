import { ToolError } from '@nexus/plugin-sdk';

export interface Permissions {
  /** Tool names, `*` standing for any run of characters. Absent: every tool. */
  readonly allow?: readonly string[] | undefined;
  /** Wins over `allow`. */
  readonly deny: readonly string[];
}

/** @throws {ToolError} NEXUS_DENIED naming the pattern that decided */
export function assertPermitted(toolName: string, permissions: Permissions): void {
  const denied = permissions.deny.find((pattern) => matchesName(pattern, toolName));
  if (denied !== undefined) {
    throw new ToolError(
      'NEXUS_DENIED',
      `${toolName} is denied by permissions.deny "${denied}" in the config.`,
    );
  }
  if (permissions.allow && !permissions.allow.some((pattern) => matchesName(pattern, toolName))) {
    throw new ToolError('NEXUS_DENIED', `${toolName} is not among permissions.allow in the config.`);
  }
}

function matchesName(pattern: string, name: string): boolean {
  const literal = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${pattern.split('*').map(literal).join('.*')}$`).test(name);
}
