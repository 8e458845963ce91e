import { resolve } from 'node:path';
import type { ToolboxSettings } from '@nexus/downstream';
import { enabledServers } from './enabled-servers.ts';
import { transportOf } from './server-rules.ts';
import type { ServerConfig, ToolboxesConfig } from './toolboxes-section.ts';

type ServerSettings = ToolboxSettings['mcpServers'][string];

interface SettingsPlaces {
  /** Of the config file. */
  readonly folder: string;
  /** By server: what its start is held to. */
  readonly files: Readonly<Record<string, ServerSettings['files']>>;
}

/**
 * A toolbox's section as the servers' layer takes it: disabled servers left out, paths absolute.
 */
export function toToolboxSettings(
  toolbox: ToolboxesConfig[string],
  { folder, files }: SettingsPlaces,
): Omit<ToolboxSettings, 'faults'> {
  const { mcpServers, ...rest } = toolbox;
  const servers = enabledServers(toolbox).map(([name, server]) => [
    name,
    { ...toServerSettings(server, folder), ...(files[name] ? { files: files[name] } : {}) },
  ]);
  return { ...rest, mcpServers: Object.fromEntries(servers) };
}

function toServerSettings(server: ServerConfig, folder: string): ServerSettings {
  const { type: _type, disabled: _disabled, cwd, ...rest } = server;
  return {
    ...rest,
    transport: transportOf(server),
    ...(cwd === undefined ? {} : { cwd: resolve(folder, cwd) }),
  };
}
