import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecord } from '@nexus/core';
import type { ToolboxSource } from '@nexus/downstream';
import type { AnyPlugin } from '@nexus/plugin-sdk';
import { importPlugin } from '../boot/import-plugin.ts';
import { bundledPlugins } from '../plugins.ts';
import { identifyProject, type Project } from '../project/project-id.ts';
import { selfPlugin } from '../self-plugin/self-plugin.ts';
import { describeWaiting } from '../trust/describe-waiting.ts';
import { isAnyoneTrusted, judge, type Trust } from '../trust/trust.ts';
import { appDir } from '../version.ts';
import { ConfigError, type ConfigFault } from './config-fault.ts';
import { explicitConfig, findConfig } from './find.ts';
import { readConfigFile } from './load.ts';
import { expandConfig, type ParsedConfig, parseConfig, type RawConfig } from './parse.ts';
import { dataDir } from './places.ts';
import { ConfigSchema } from './schema.ts';
import { toolboxFaults } from './toolbox-faults.ts';
import { toolboxSource } from './toolbox-source.ts';

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
  readonly plugins: readonly AnyPlugin[];
  readonly trust: Trust;
  /** What the user should know and mend, a sentence each: files that are not read, parts that wait. */
  readonly warnings: readonly string[];
  readonly toolboxSource: ToolboxSource;
}

export interface ConfigSource {
  /** `--config`. */
  readonly config?: string | undefined;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Finds, reads and checks the config and imports the plugins it names.
 * @throws {ConfigError} all faults at once
 */
export async function loadConfig({
  config,
  cwd = process.cwd(),
  env = process.env,
}: ConfigSource = {}): Promise<LoadedConfig> {
  const isAnyone = isAnyoneTrusted(env);
  const found = findConfig({ explicit: explicitConfig(config, env), cwd, isAnyoneTrusted: isAnyone });
  const whole = found.configFile ? await readConfigFile(found.configFile) : {};
  const trust = judge(whole, found, env);
  const raw = trust.used;
  const source = found.configFile ?? 'the default config';
  const imported = await importPlugins(expandConfig(raw, env).expanded.plugins, found.configFile);
  const plugins = [...bundledPlugins, ...imported.plugins];
  const faults = [...imported.faults, ...faultsOfWaiting(trust, whole)];
  const parsed = parseConfig(raw, { plugins, environment: env, faults, source });
  const data = dataDir(found.projectRoot, env.NEXUS_DATA_DIR);
  const loaded = {
    ...parsed,
    ...found,
    dataDir: data,
    identify: () =>
      identifyProject({
        projectRoot: found.projectRoot,
        dataDir: data,
        fromEnvironment: env.NEXUS_PROJECT_ID,
        fromConfig: parsed.config.project.id,
      }),
    databaseUrl: env.NEXUS_DATABASE_URL || undefined,
    timeoutMultiplier: timeoutMultiplier(env.NEXUS_TIMEOUT_MULTIPLIER),
  };
  const folder = found.configFile ? dirname(found.configFile) : found.projectRoot;
  return {
    ...loaded,
    plugins: [...plugins, selfPlugin(loaded)],
    trust,
    warnings: [...found.refused, ...describeWaiting(trust.waiting)],
    toolboxSource: toolboxSource({ ...parsed, folder, waiting: trust.waiting }),
  };
}

/** What is wrong with toolboxes that wait is told now, and not only when they are trusted. */
function faultsOfWaiting({ waiting }: Trust, whole: RawConfig): ConfigFault[] {
  if (!waiting.some(({ path }) => path[0] === 'toolboxes') || !isRecord(whole.toolboxes)) return [];
  return toolboxFaults(whole.toolboxes)
    .map(({ path, message }) => ({ path: `toolboxes.${path}`, message }))
    .filter(({ path }) => waiting.some((part) => path.startsWith(part.path.join('.'))));
}

async function importPlugins(
  names: unknown,
  configFile: string | undefined,
): Promise<{ plugins: AnyPlugin[]; faults: ConfigFault[] }> {
  if (!Array.isArray(names) || !configFile) return { plugins: [], faults: [] };
  const from = dirname(realpathSync(configFile));
  const plugins: AnyPlugin[] = [];
  const faults: ConfigFault[] = [];
  for (const [index, name] of names.entries()) {
    if (typeof name !== 'string') continue;
    try {
      const plugin = await importPlugin(name, from, fileURLToPath(appDir));
      const taken = [...bundledPlugins, ...plugins].some((other) => other.name === plugin.name);
      if (taken || Object.hasOwn(ConfigSchema.shape, plugin.name) || plugin.name === 'nexus') {
        throw new Error(`plugin "${name}" is named "${plugin.name}", which is taken; rename it`);
      }
      plugins.push(plugin);
    } catch (error) {
      faults.push({ path: `plugins.${index}`, message: (error as Error).message });
    }
  }
  return { plugins, faults };
}

function timeoutMultiplier(text: string | undefined): number {
  if (text === undefined || text === '') return 1;
  const multiplier = Number(text);
  if (multiplier >= 0.25 && multiplier <= 10) return multiplier;
  const message = `must be a number from 0.25 to 10; found ${JSON.stringify(text)}`;
  throw new ConfigError('the environment', [{ path: 'NEXUS_TIMEOUT_MULTIPLIER', message }]);
}
