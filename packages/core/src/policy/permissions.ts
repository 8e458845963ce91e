import { matchesName, ToolError } from '@nexus/plugin-sdk';
import type { NamedTool } from '../registry/registry.ts';

export interface Permissions {
  /**
   * Tools, `*` standing for any run of characters; absent: every tool. One of a toolbox is meant by its toolbox, its
   * server and its name there, so that nothing can be put behind a name that was allowed.
   */
  readonly allow?: readonly string[] | undefined;
  /**
   * Tools that may be called without a yes although what calls them has untrusted text and private data together; as
   * in `allow`.
   */
  readonly reachOut?: readonly string[] | undefined;
  /** Wins over `allow`, and means a tool by what it is called here too. */
  readonly deny: readonly string[];
  /** The user's own beside a project's: a tool needs the leave of both. */
  readonly own?: OwnPermissions | undefined;
}

/** What the user's own config says, where another file is the one that counts. */
export interface OwnPermissions extends Pick<Permissions, 'allow' | 'deny'> {
  readonly file: string;
  /** Tools that it turns off. */
  readonly off: readonly string[];
}

/** Whether a tool may be called; what may not is not listed either. */
export function isPermitted(tool: NamedTool, permissions: Permissions): boolean {
  return refusal(tool, permissions) === undefined;
}

/** @throws {ToolError} NEXUS_DENIED naming the pattern that decided */
export function assertPermitted(tool: NamedTool, permissions: Permissions): void {
  const why = refusal(tool, permissions);
  if (why !== undefined) throw new ToolError('NEXUS_DENIED', why);
}

/** Why a tool may not be called, naming the pattern that decided. */
export function refusal(tool: NamedTool, permissions: Permissions): string | undefined {
  const { own } = permissions;
  if (own === undefined) return refusalBy(tool, permissions, 'the config');
  const whose = `${own.file}, the user’s own config`;
  if (own.off.includes(tool.name))
    return `${tool.name} is turned off by tools.${tool.name}.enabled in ${whose}.`;
  return refusalBy(tool, own, whose) ?? refusalBy(tool, permissions, 'the config');
}

function refusalBy(
  { name, origin = name }: NamedTool,
  { allow, deny }: Pick<Permissions, 'allow' | 'deny'>,
  where: string,
): string | undefined {
  const denied = deny.find((pattern) => matchesName(pattern, name) || matchesName(pattern, origin));
  if (denied !== undefined) return `${name} is denied by permissions.deny "${denied}" in ${where}.`;
  if (allow && !allow.some((pattern) => matchesName(pattern, origin))) {
    const meant = origin === name ? '' : `, where it would be named ${origin}`;
    return `${name} is not among permissions.allow in ${where}${meant}.`;
  }
  return undefined;
}
