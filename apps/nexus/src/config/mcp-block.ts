import { isRecord } from '@nexus/core';
import type { ConfigFault } from './config-fault.ts';

/** Tools that the `mcp:` block calls by another name. */
const TOOL_ALIASES: Readonly<Record<string, string>> = { workflow: 'run_workflow' };
/** Settings that the `mcp:` block has for a tool, as ours: `defaults.*` are arguments. */
const TOOL_SETTINGS: Readonly<Record<string, string>> = {
  timeout: 'timeoutMs',
  maxTurns: 'defaults.maxIterations',
  dryRunDefault: 'defaults.dryRun',
};

export interface McpBlock {
  /** The config with the block read as our own sections; those win where both speak. */
  readonly sections: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
  readonly faults: readonly ConfigFault[];
}

/**
 * Reads the `mcp:` block (server, tools) of older configs as `server` and `tools`. It may speak of tools
 * that are not here (`toolNames`), which is noted; in our own `tools` section that is a fault.
 */
export function readMcpBlock(
  raw: Readonly<Record<string, unknown>>,
  toolNames: ReadonlySet<string>,
): McpBlock {
  const { mcp, ...sections } = raw;
  if (mcp === undefined) return { sections, notes: [], faults: [] };
  if (!isRecord(mcp)) return { sections, notes: [], faults: [{ path: 'mcp', message: 'must be an object' }] };
  const notes: string[] = [];
  const faults: ConfigFault[] = [];
  for (const key of Object.keys(mcp)) {
    if (key !== 'server' && key !== 'tools') {
      faults.push({ path: `mcp.${key}`, message: 'no such key; allowed: server, tools' });
    }
  }
  const server = isRecord(mcp.server) ? readServer(mcp.server, notes, faults) : {};
  const tools = isRecord(mcp.tools) ? readTools(mcp.tools, toolNames, notes) : {};
  return {
    sections: {
      ...sections,
      server: { ...server, ...(isRecord(sections.server) ? sections.server : {}) },
      tools: { ...tools, ...(isRecord(sections.tools) ? sections.tools : {}) },
    },
    notes,
    faults,
  };
}

function readServer(server: Record<string, unknown>, notes: string[], faults: ConfigFault[]) {
  const { name, version, capabilities, transport, ...rest } = server;
  if (version !== undefined) notes.push('mcp.server.version: Nexus reports its own version');
  if (capabilities !== undefined) notes.push('mcp.server.capabilities: tools, resources and prompts are on');
  if (transport !== undefined && transport !== 'stdio') {
    faults.push({
      path: 'mcp.server.transport',
      message: `must be stdio; found ${JSON.stringify(transport)}`,
    });
  }
  for (const key of Object.keys(rest)) {
    const message = 'no such key; allowed: name, version, capabilities, transport';
    faults.push({ path: `mcp.server.${key}`, message });
  }
  return name === undefined ? {} : { name };
}

function readTools(
  tools: Record<string, unknown>,
  toolNames: ReadonlySet<string>,
  notes: string[],
): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [alias, settings] of Object.entries(tools)) {
    const name = toolOfMcp(alias);
    if (toolNames.has(name)) read[name] = isRecord(settings) ? readToolSettings(settings) : settings;
    else notes.push(`mcp.tools.${alias}: there is no tool ${name} here`);
  }
  return read;
}

/** What a tool of the block is called here. */
export function toolOfMcp(alias: string): string {
  return (Object.hasOwn(TOOL_ALIASES, alias) ? TOOL_ALIASES[alias] : undefined) ?? alias;
}

function readToolSettings(settings: Record<string, unknown>): Record<string, unknown> {
  const own: Record<string, unknown> = {};
  const defaults: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(settings)) {
    const target = TOOL_SETTINGS[key] ?? key;
    if (target.startsWith('defaults.')) defaults[target.slice('defaults.'.length)] = value;
    else own[target] = value;
  }
  return Object.keys(defaults).length === 0 ? own : { ...own, defaults };
}
