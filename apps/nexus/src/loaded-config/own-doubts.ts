import { isRecord } from '@nexus/core/json-type';
import { nearestNames } from '@nexus/plugin-sdk';
import { readMcpBlock } from '../config/mcp-block.ts';
import { mistypedTools } from '../config/mistyped-tools.ts';
import { RESTRICTING } from '../config/own-restrictions.ts';
import type { RawConfig } from '../config/raw-config.ts';
import { hasPlugins, isSection } from '../trust/parts.ts';
import type { OwnConfig } from './own-config.ts';

const MAYBE_THEIRS =
  'if it is not of a plugin that this file names, none of which is loaded here, it forbids nothing';

/**
 * What of the user's own config may be a prohibition, misspelt, a sentence each. Without plugins of its own the rest of
 * these is a fault; with them, what nobody knows may be theirs.
 */
export function ownDoubts({ file, raw }: OwnConfig, toolNames: ReadonlySet<string>): string[] {
  const { sections } = readMcpBlock(raw, toolNames);
  const isTheirs = hasPlugins(raw);
  const tools = [...toolNames];
  const named = mistypedTools(sections, tools);
  return [
    ...(isTheirs ? doubtfulSections(sections) : []),
    ...(isTheirs ? doubtfulTools(sections.tools, tools) : []),
    ...named.map((sentence) => (isTheirs ? `${sentence} (${MAYBE_THEIRS})` : sentence)),
  ].map((sentence) => `${file}: ${sentence}`);
}

/** One that is called as its plugin is, is taken for that plugin's. */
function doubtfulSections(sections: RawConfig): string[] {
  const plugins = Array.isArray(sections.plugins) ? sections.plugins.map(String) : [];
  return Object.keys(sections).flatMap((name) => {
    if (isSection(name) || plugins.some((plugin) => plugin.includes(name))) return [];
    const [near] = nearestNames(name, RESTRICTING, 1);
    return near === undefined ? [] : [`${name}: no such section; did you mean ${near}? (${MAYBE_THEIRS})`];
  });
}

function doubtfulTools(settings: unknown, tools: readonly string[]): string[] {
  return Object.entries(isRecord(settings) ? settings : {}).flatMap(([name, setting]) => {
    if (tools.includes(name) || !isRecord(setting) || setting.enabled !== false) return [];
    const [near] = nearestNames(name, tools, 1);
    const hint = near === undefined ? '`nexus tools` lists them' : `did you mean ${near}?`;
    return [`tools.${name}: no such tool; ${hint} (${MAYBE_THEIRS})`];
  });
}
