import { basename } from 'node:path';
import { isRecord } from '@nexus/core/json-type';
import { nearestNames } from '@nexus/plugin-sdk';
import { readMcpBlock, toolOfMcp } from '../config/mcp-block.ts';
import { mistypedTools } from '../config/mistyped-tools.ts';
import { RESTRICTING } from '../config/own-restrictions.ts';
import type { RawConfig } from '../config/raw-config.ts';
import { hasPlugins, isSection } from '../trust/known-sections.ts';
import type { OwnConfig } from './own-config.ts';

const MAYBE_THEIRS =
  'if it is not of a plugin that this file names, none of which is loaded here, it forbids nothing';

/**
 * What of the user's own config may be a prohibition, misspelt, a sentence each. Without plugins of its own the rest of
 * these is a fault; with them, what nobody knows may be theirs.
 * @param project the config that counts here, of whose toolboxes a pattern may mean tools
 */
export function ownDoubts(
  { file, raw }: OwnConfig,
  toolNames: ReadonlySet<string>,
  project: RawConfig,
): string[] {
  const { sections } = readMcpBlock(raw, toolNames);
  const isTheirs = hasPlugins(raw);
  const tools = [...toolNames];
  const toolboxes = { ...recordOf(project.toolboxes), ...recordOf(sections.toolboxes) };
  const named = [...offOfMcp(raw.mcp, tools), ...mistypedTools({ ...sections, toolboxes }, tools)];
  return [
    ...(isTheirs ? doubtfulSections(sections) : []),
    ...(isTheirs ? doubtfulTools(sections.tools, tools) : []),
    ...named.map((sentence) => (isTheirs ? `${sentence} (${MAYBE_THEIRS})` : sentence)),
  ].map((sentence) => `${file}: ${sentence}`);
}

/** One that is called just as its plugin is, is taken for that plugin's. */
function doubtfulSections(sections: RawConfig): string[] {
  const plugins = Array.isArray(sections.plugins) ? sections.plugins.map(String) : [];
  return Object.keys(sections).flatMap((name) => {
    if (isSection(name) || plugins.some((plugin) => nameOf(plugin) === name)) return [];
    const [near] = nearestNames(name, RESTRICTING, 1);
    return near === undefined ? [] : [`${name}: no such section; did you mean ${near}? (${MAYBE_THEIRS})`];
  });
}

/** `./folder/name.mjs`, `@scope/nexus-plugin-name`. */
function nameOf(plugin: string): string {
  return basename(plugin)
    .replace(/\.[cm]?[jt]s$/, '')
    .replace(/^nexus-(?:plugin-)?/, '');
}

/** The older block may speak of tools that are not here; one that it turns off is none of those that are. */
function offOfMcp(mcp: unknown, tools: readonly string[]): string[] {
  return Object.entries(recordOf(recordOf(mcp).tools)).flatMap(([alias, setting]) => {
    if (tools.includes(toolOfMcp(alias)) || recordOf(setting).enabled !== false) return [];
    return [`mcp.tools.${alias}: no such tool; ${hintFor(alias, tools)}`];
  });
}

function recordOf(value: unknown): RawConfig {
  return isRecord(value) ? value : {};
}

function hintFor(name: string, tools: readonly string[]): string {
  const [near] = nearestNames(name, tools, 1);
  return near === undefined ? '`nexus tools` lists them' : `did you mean ${near}?`;
}

function doubtfulTools(settings: unknown, tools: readonly string[]): string[] {
  return Object.entries(recordOf(settings)).flatMap(([name, setting]) => {
    if (tools.includes(name) || !isRecord(setting) || setting.enabled !== false) return [];
    return [`tools.${name}: no such tool; ${hintFor(name, tools)} (${MAYBE_THEIRS})`];
  });
}
