import type { RegisteredTool } from './registered-tool.ts';

/** What `profile: lean` lists of itself: the tools that find and use all others. */
const LEAN_TOOLS: ReadonlySet<string> = new Set(['bundle', 'find_tools', 'open_toolbox', 'use_tool']);

/**
 * Whether `profile: lean` lists a tool of this server. The others stay callable, by name, in a bundle, and
 * through `use_tool`; tools of an opened toolbox are not judged by this.
 * @param alsoListed names that the config adds
 */
export function isListedWhenLean(
  { name }: Pick<RegisteredTool, 'name'>,
  alsoListed: ReadonlySet<string>,
): boolean {
  return LEAN_TOOLS.has(name) || alsoListed.has(name);
}
