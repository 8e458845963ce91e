import { isRecord } from '@nexus/core';
import { describeMissing, type Environment, ExpansionError, expandVariables } from '@nexus/core/expansion';
import type { ServerFault, ToolboxSource } from '@nexus/downstream';
import { ToolError } from '@nexus/plugin-sdk';
import { SERVER_WAITS } from '../trust/describe-waiting.ts';
import type { Trust } from '../trust/trust.ts';
import type { ConfigFault } from './config-fault.ts';
import { configSchema } from './config-schema.ts';
import { checkPlainly } from './plain-check.ts';
import type { RawConfig } from './raw-config.ts';
import type { Config } from './schema.ts';
import { serverFaults } from './server-rules.ts';
import { toToolboxSettings } from './toolbox-settings.ts';

const toolboxesSchema = configSchema.properties?.toolboxes ?? {};

export interface ToolboxSourceInput {
  readonly config: Config;
  /** The file's sections before expansion: each host's own variables are put in when it opens a toolbox. */
  readonly written: RawConfig;
  /** Of the config file. */
  readonly folder: string;
  readonly trust: Pick<Trust, 'parts' | 'waiting'>;
}

/** The config's toolboxes, to be expanded with the variables of whichever host opens one. */
export function toolboxSource({ config, written, folder, trust }: ToolboxSourceInput): ToolboxSource {
  // Parts that wait are not in `written`.
  const waitingIn = (toolbox: string) => trust.waiting.flatMap(({ path }) => serverAt(path, toolbox));
  return {
    toolMode: config.toolMode,
    toolboxes: Object.entries(config.toolboxes).map(([name, toolbox]) => ({
      name,
      description: toolbox.description,
      autoOpen: toolbox.autoOpen,
      servers: [...serversOf(written, name), ...waitingIn(name)],
    })),
    settings(toolbox, environment) {
      const { description, prefix, autoOpen } = config.toolboxes[toolbox] ?? noToolbox(toolbox);
      const section = sectionOf(written, toolbox);
      const faults: ServerFault[] = waitingIn(toolbox).map((server) => ({ server, reason: SERVER_WAITS }));
      const servers = serversOf(written, toolbox).flatMap((server) => {
        const alone = { [toolbox]: { mcpServers: { [server]: section[server] } } };
        const { found, reason } = readServer(alone, environment);
        if (found === undefined) faults.push({ server, reason });
        return found === undefined ? [] : [[server, found[toolbox]?.mcpServers[server]] as const];
      });
      const files = Object.fromEntries(servers.map(([server]) => [server, filesOf(trust, toolbox, server)]));
      const mcpServers = Object.fromEntries(servers) as Config['toolboxes'][string]['mcpServers'];
      return {
        ...toToolboxSettings({ description, prefix, autoOpen, mcpServers }, { folder, files }),
        faults,
      };
    },
  };
}

/** One server's section with a host's variables put in and checked; the reason where it can't be used with them. */
function readServer(
  alone: Readonly<Record<string, unknown>>,
  environment: Environment,
): { found?: Config['toolboxes']; reason: string } {
  let faults: readonly ConfigFault[];
  try {
    const { value, doubts } = checkPlainly(toolboxesSchema, expandVariables(alone, environment));
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
    reason: `${lines}. Its variables are those of who starts Nexus: of the host, which then has to be started again, or of the shell.`,
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

/** What a server's start is held to; nothing where the config is trusted as a whole. */
function filesOf({ parts }: Pick<Trust, 'parts'>, toolbox: string, server: string) {
  const part = parts.find(({ path }) => serverAt(path, toolbox).includes(server));
  return part?.files && Object.keys(part.files).length > 0 ? part.files : undefined;
}

function serverAt([section, toolbox, , server]: readonly string[], wanted: string): string[] {
  return section === 'toolboxes' && toolbox === wanted && server !== undefined ? [server] : [];
}
