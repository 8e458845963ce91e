import { isRecord } from '@nexus/core';
import type { ServerFault, ToolboxSettings, ToolboxSource } from '@nexus/downstream';
import { ToolError } from '@nexus/plugin-sdk';
import type { ConfigFault } from '../config/config-fault.ts';
import { configSchema } from '../config/config-schema.ts';
import {
  describeMissing,
  type Environment,
  ExpansionError,
  expandVariables,
  variablesIn,
} from '../config/expansion/index.ts';
import { checkPlainly } from '../config/plain-check.ts';
import type { RawConfig } from '../config/raw-config.ts';
import type { Config } from '../config/schema.ts';
import { serverFaults } from '../config/server-rules.ts';
import { toToolboxSettings } from '../config/toolbox-settings.ts';
import { SERVER_WAITS } from '../trust/describe-waiting.ts';
import type { Part } from '../trust/part.ts';
import type { Trust } from '../trust/trust.ts';

const toolboxesSchema = configSchema.properties?.toolboxes ?? {};

export interface ToolboxSourceInput {
  readonly config: Config;
  /** The file's sections before expansion: each host's own variables are put in when it opens a toolbox. */
  readonly written: RawConfig;
  /** Of the config file. */
  readonly folder: string;
  readonly projectRoot: string;
  readonly trust: Pick<Trust, 'parts' | 'waiting'>;
}

/** A toolbox as the latest host has it: all that have the same values of its variables have it alike. */
interface Expanded {
  readonly variables: readonly string[];
  readonly values: string;
  readonly settings: ToolboxSettings;
}

/** The config's toolboxes, to be expanded with the variables of whichever host opens one. */
export function toolboxSource({
  config,
  written,
  folder,
  projectRoot,
  trust,
}: ToolboxSourceInput): ToolboxSource {
  // Parts that wait are not in `written`.
  const waiting = new Map<string, string[]>();
  for (const { path } of trust.waiting) {
    const at = serverAt(path);
    if (at) waiting.set(at.toolbox, [...(waiting.get(at.toolbox) ?? []), at.server]);
  }
  const waitingIn = (toolbox: string) => waiting.get(toolbox) ?? [];
  const files = filesOf(trust);
  const latest = new Map<string, Expanded>();

  function expand(toolbox: string, environment: Environment): ToolboxSettings {
    const { description, prefix, autoOpen } = config.toolboxes[toolbox] ?? noToolbox(toolbox);
    const section = sectionOf(written, toolbox);
    const faults: ServerFault[] = waitingIn(toolbox).map((server) => ({ server, reason: SERVER_WAITS }));
    const servers = serversOf(written, toolbox).flatMap((server) => {
      const alone = { [toolbox]: { mcpServers: { [server]: section[server] } } };
      const { found, reason } = readServer(alone, environment, projectRoot);
      if (found === undefined) faults.push({ server, reason });
      return found === undefined ? [] : [[server, found[toolbox]?.mcpServers[server]] as const];
    });
    const mcpServers = Object.fromEntries(servers) as Config['toolboxes'][string]['mcpServers'];
    const held = Object.fromEntries(servers.map(([server]) => [server, files.get(partKey(toolbox, server))]));
    return {
      ...toToolboxSettings({ description, prefix, autoOpen, mcpServers }, { folder, files: held }),
      faults,
    };
  }

  return {
    toolMode: config.toolMode,
    toolboxes: Object.entries(config.toolboxes).map(([name, toolbox]) => ({
      name,
      description: toolbox.description,
      autoOpen: toolbox.autoOpen,
      servers: [...serversOf(written, name), ...waitingIn(name)],
    })),
    settings(toolbox, environment) {
      const known = latest.get(toolbox);
      const variables = known?.variables ?? variablesIn(sectionOf(written, toolbox));
      const values = JSON.stringify(variables.map((name) => environment[name] ?? null));
      if (known?.values === values) return known.settings;
      const settings = expand(toolbox, environment);
      latest.set(toolbox, { variables, values, settings });
      return settings;
    },
  };
}

/** One server's section with a host's variables put in and checked; the reason where it can't be used with them. */
function readServer(
  alone: Readonly<Record<string, unknown>>,
  environment: Environment,
  projectRoot: string,
): { found?: Config['toolboxes']; reason: string } {
  let faults: readonly ConfigFault[];
  try {
    const { value, doubts } = checkPlainly(toolboxesSchema, expandVariables(alone, environment, projectRoot));
    const found = value as Config['toolboxes']; // without doubts
    faults = doubts.map((path) => ({ path, message: 'is not what the config allows there' }));
    if (doubts.length === 0) faults = faultsOf(found);
    if (faults.length === 0) return { found, reason: '' };
  } catch (error) {
    if (!(error instanceof ExpansionError)) throw error;
    faults = error.missing.map(({ variable, path }) => ({ path, message: describeMissing(variable) }));
  }
  const lines = faults.map(({ path, message }) => `toolboxes.${path}: ${message}`).join('; ');
  return {
    reason: `${lines}. Nexus gets its variables from the host or the shell that starts it; start that again once it is set.`,
  };
}

function faultsOf(toolboxes: Config['toolboxes']): ConfigFault[] {
  return Object.entries(toolboxes).flatMap(([toolbox, { mcpServers }]) =>
    Object.entries(mcpServers).flatMap(([server, settings]) =>
      serverFaults(settings).map(({ key, message }) => ({
        path: `${toolbox}.mcpServers.${server}.${key}`,
        message,
      })),
    ),
  );
}

function noToolbox(toolbox: string): never {
  throw new ToolError('NEXUS_NOT_FOUND', `There is no toolbox "${toolbox}" in the config.`);
}

function sectionOf({ toolboxes }: RawConfig, toolbox: string): Readonly<Record<string, unknown>> {
  const section = isRecord(toolboxes) ? toolboxes[toolbox] : undefined;
  return isRecord(section) && isRecord(section.mcpServers) ? section.mcpServers : {};
}

/** Names of its servers that are not disabled, whether they can be used or not. */
function serversOf(written: RawConfig, toolbox: string): string[] {
  return Object.entries(sectionOf(written, toolbox)).flatMap(([name, server]) =>
    isRecord(server) && server.disabled === true ? [] : [name],
  );
}

/** What the starts of servers are held to; nothing where the config is trusted as a whole. */
function filesOf({ parts }: Pick<Trust, 'parts'>): ReadonlyMap<string, Part['files']> {
  const files = new Map<string, Part['files']>();
  for (const part of parts) {
    const at = serverAt(part.path);
    if (!at || !part.files || Object.keys(part.files).length === 0) continue;
    const key = partKey(at.toolbox, at.server);
    if (!files.has(key)) files.set(key, part.files);
  }
  return files;
}

function partKey(toolbox: string, server: string): string {
  return JSON.stringify([toolbox, server]);
}

function serverAt([section, toolbox, , server]: readonly string[]) {
  if (section !== 'toolboxes' || toolbox === undefined || server === undefined) return undefined;
  return { toolbox, server };
}
