import { isRecord } from '@nexus/core';
import { describeMissing, type Environment, ExpansionError, expandVariables } from '@nexus/core/expansion';
import type { ToolboxSource } from '@nexus/downstream';
import { ToolError } from '@nexus/plugin-sdk';
import type { ConfigFault } from './config-fault.ts';
import type { RawConfig } from './parse.ts';
import type { Config } from './schema.ts';
import { enabledServers, toToolboxSettings } from './toolbox-settings.ts';
import { ToolboxesSection } from './toolboxes-section.ts';
import { zodFaults } from './zod-faults.ts';

export interface ToolboxSourceInput {
  readonly config: Config;
  /** The file's sections before expansion: each host's own variables are put in when it opens a toolbox. */
  readonly written: RawConfig;
  /** Of the config file. */
  readonly folder: string;
}

/** The config's toolboxes, to be expanded with the variables of whichever host opens one. */
export function toolboxSource({ config, written, folder }: ToolboxSourceInput): ToolboxSource {
  return {
    toolMode: config.toolMode,
    toolboxes: Object.entries(config.toolboxes).map(([name, toolbox]) => ({
      name,
      description: toolbox.description,
      servers: enabledServers(toolbox).map(([server]) => server),
    })),
    settings(toolbox, environment) {
      const section = isRecord(written.toolboxes) ? { [toolbox]: written.toolboxes[toolbox] } : {};
      const parsed = ToolboxesSection.safeParse(expandFor(environment, section));
      if (!parsed.success)
        throw unusable(zodFaults(parsed.error, section, ToolboxesSection).map(inToolboxes));
      const found = parsed.data[toolbox];
      if (!found) throw new ToolError('NEXUS_NOT_FOUND', `There is no toolbox "${toolbox}" in the config.`);
      return toToolboxSettings(found, folder);
    },
  };
}

function expandFor(environment: Environment, section: object): unknown {
  try {
    return expandVariables(section, environment);
  } catch (error) {
    if (!(error instanceof ExpansionError)) throw error;
    const faults = error.missing.map(({ variable, path }) => ({ path, message: describeMissing(variable) }));
    throw unusable(faults.map(inToolboxes));
  }
}

function inToolboxes({ path, message }: ConfigFault): ConfigFault {
  return { path: `toolboxes.${path}`, message };
}

function unusable(faults: readonly ConfigFault[]): ToolError {
  const lines = faults.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return new ToolError(
    'NEXUS_CONFIG',
    `The config can't be used with the environment of this session's host. ${lines}. Then start the host again.`,
    { detail: { faults } },
  );
}
