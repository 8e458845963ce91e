import { dirname } from 'node:path';
import type { OwnPermissions } from '@nexus/core';
import type { ToolboxSource } from '@nexus/downstream';
import { type AnyPlugin, ToolError } from '@nexus/plugin-sdk';
import { ConfigError } from '../config/config-fault.ts';
import { defaultConfig } from '../config/default-config.ts';
import { explicitConfig, type Found, findConfig } from '../config/find.ts';
import { readConfigFile } from '../config/load.ts';
import { mistypedTools } from '../config/mistyped-tools.ts';
import type { ParsedConfig } from '../config/parse.ts';
import { dataDir } from '../config/places.ts';
import type { RawConfig } from '../config/raw-config.ts';
import { bundled, selfListing } from '../plugins/bundled.ts';
import { importedPlugin } from '../plugins/imported-plugin.ts';
import type { ListedPlugin } from '../plugins/plugin-listing.ts';
import { optionsOfAll } from '../plugins/plugin-options.ts';
import { noProjectFault } from '../project/no-project.ts';
import { identifyProject, type Project } from '../project/project-id.ts';
import type { Self } from '../self-plugin/self-plugin.ts';
import { recordDataDir } from '../state/data-dir-record.ts';
import { describeWaiting } from '../trust/describe-waiting.ts';
import { isTrustedClaim, rememberMade } from '../trust/project-part.ts';
import { isAnyoneTrusted, judge, type Trust } from '../trust/trust.ts';
import { lackingServers } from './lacking-servers.ts';

/** Everything that the command line, the environment and the config file decide, checked. */
export interface LoadedConfig extends ParsedConfig {
  /** Undefined where there is none and the defaults hold. */
  readonly configFile: string | undefined;
  readonly projectRoot: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Which project this is; makes its id where nothing names it and none was made before. */
  readonly identify: () => Project;
  readonly timeoutMultiplier: number;
  readonly plugins: readonly ListedPlugin[];
  /** The sections of all plugins, defaults filled in: `pluginOptions` has only those that were checked. */
  everyOption(): Promise<Readonly<Record<string, unknown>>>;
  readonly trust: Trust;
  /** What would stop the start once all that waits for trust has it, in words; undefined where nothing would. */
  readonly faultsOnceTrusted: string | undefined;
  /** What the user's own config says of tools, beside a project's. */
  readonly ownPermissions: OwnPermissions | undefined;
  /** What the user should know of config and folder, a sentence each: files that are not read, parts that wait. */
  readonly configWarnings: readonly string[];
  /** The same, and the servers of toolboxes that lack something. */
  readonly warnings: readonly string[];
  readonly toolboxSource: ToolboxSource;
}

export interface ConfigSource {
  /** `--config`. */
  readonly config?: string | undefined;
  readonly cwd?: string;
  /** In the place of what would be found: a config that is there no more, with what still counts of it. */
  readonly gone?: GoneConfig | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface GoneConfig {
  /** Where it lay, and with it the project. */
  readonly configFile: string;
  readonly config: RawConfig;
}

/**
 * Finds, reads and checks the config and imports the plugins it names.
 * @throws {ConfigError} all faults at once
 */
export async function loadConfig({
  config,
  cwd = process.cwd(),
  gone,
  env = process.env,
}: ConfigSource = {}): Promise<LoadedConfig> {
  const isAnyone = isAnyoneTrusted(env);
  const found = gone
    ? foundGone(gone)
    : findConfig({ explicit: explicitConfig(config, env), cwd, isAnyoneTrusted: isAnyone });
  const { configFile } = found;
  const whole = gone?.config ?? (configFile ? await readConfigFile(configFile) : {});
  const trust = await judge(whole, found, env);
  const own = found.ownFile && { file: found.ownFile, raw: await readConfigFile(found.ownFile) };
  // Loaded only where there is a file to check: most starts have none.
  const reader = configFile ? await import('./read-config.ts') : undefined;
  const read = configFile
    ? await reader?.readConfig({ configFile, whole, own: own || undefined, trust, env })
    : undefined;
  const parsed: ParsedConfig = read?.parsed ?? {
    config: defaultConfig,
    pluginOptions: {},
    written: {},
    notes: [],
  };
  const plugins = [...bundled, ...(read?.imported ?? []).map(importedPlugin)];
  const data = dataDir(found.projectRoot, env.NEXUS_DATA_DIR);
  const databaseUrl = env.NEXUS_DATABASE_URL || undefined;
  const loaded = {
    ...parsed,
    ...found,
    dataDir: data,
    identify: () => {
      recordDataDir(data); // whoever asks is about to write there
      return identifyProject({
        projectRoot: found.projectRoot,
        dataDir: data,
        fromEnvironment: env.NEXUS_PROJECT_ID,
        fromConfig: parsed.config.project.id,
        // The embedded database is in the data directory, so nothing is reached by the name.
        isTrusted: (claim) => databaseUrl === undefined || isAnyone || isTrustedClaim(claim),
        onMade: rememberMade,
      });
    },
    databaseUrl,
    ownPermissions: read?.ownPermissions,
    timeoutMultiplier: timeoutMultiplier(env.NEXUS_TIMEOUT_MULTIPLIER),
  };
  const everyOption = () =>
    optionsOfAll(plugins, { configured: parsed.pluginOptions, ownSections: parsed.config });
  const self: Self = { ...loaded, pluginOptions: everyOption };
  const folder = configFile ? dirname(configFile) : found.projectRoot;
  const boxes =
    reader?.toolboxSource({ ...parsed, folder, projectRoot: found.projectRoot, trust }) ?? noToolboxes;
  const noProject = noProjectFault(found.projectRoot);
  const lacking = lackingServers({ toolboxSource: boxes, projectRoot: found.projectRoot }, env);
  const toolNames = plugins.flatMap(({ tools }) => tools.map(({ name }) => name));
  const configWarnings = [
    ...(noProject === undefined ? [] : [noProject]),
    ...found.refused,
    ...found.hidden,
    ...describeWaiting(trust.waiting),
    ...(read?.faultsOnceTrusted === undefined
      ? []
      : [`Once that is trusted, Nexus will not start: ${read.faultsOnceTrusted}`]),
    // A plugin that waits has tools that nobody knows yet.
    ...(trust.waiting.length > 0 ? [] : mistypedTools(parsed.written, toolNames, read?.forbidden)),
    ...(read?.ownDoubts ?? []),
  ];
  return {
    ...loaded,
    everyOption,
    plugins: [...plugins, { ...selfListing, load: () => loadSelf(self) }],
    trust,
    faultsOnceTrusted: read?.faultsOnceTrusted,
    configWarnings,
    warnings: [
      ...configWarnings,
      ...lacking.map(
        ({ toolbox, server, reason }) => `Server ${server} of toolbox ${toolbox} is left out: ${reason}`,
      ),
    ],
    toolboxSource: { ...boxes, lacking },
  };
}

function foundGone({ configFile }: GoneConfig): Found {
  return { configFile, projectRoot: dirname(configFile), isOwnChoice: false, refused: [], hidden: [] };
}

async function loadSelf(self: Self): Promise<AnyPlugin> {
  return (await import('../self-plugin/self-plugin.ts')).selfPlugin(self);
}

/** Where there is no config file, nothing could be opened. */
const noToolboxes: ToolboxSource = {
  toolMode: defaultConfig.toolMode,
  toolboxes: [],
  settings(toolbox) {
    throw new ToolError('NEXUS_NOT_FOUND', `There is no toolbox "${toolbox}" in the config.`);
  },
};

function timeoutMultiplier(text: string | undefined): number {
  if (text === undefined || text === '') return 1;
  const multiplier = Number(text);
  if (multiplier >= 0.25 && multiplier <= 10) return multiplier;
  const message = `must be a number from 0.25 to 10; found ${JSON.stringify(text)}`;
  throw new ConfigError('the environment', [{ path: 'NEXUS_TIMEOUT_MULTIPLIER', message }]);
}
