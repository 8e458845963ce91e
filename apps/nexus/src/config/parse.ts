import { isRecord } from '@nexus/core';
import type { AnyPlugin } from '@nexus/plugin-sdk';
import { ConfigError, type ConfigFault } from './config-fault.ts';
import { expandConfig } from './expand-config.ts';
import type { Environment } from './expansion/index.ts';
import { readMcpBlock } from './mcp-block.ts';
import type { RawConfig } from './raw-config.ts';
import { type Config, ConfigSchema } from './schema.ts';
import { serversInNeed } from './servers-in-need.ts';
import { withoutPaths } from './without-paths.ts';
import { unknownKey, zodFaults } from './zod-faults.ts';

/** As much of a plugin as a config's keys are held to. */
interface NamedPlugin {
  readonly name: string;
  readonly tools: readonly { readonly name: string }[];
}

export interface ParsedConfig {
  readonly config: Config;
  /** Each plugin's own section, by plugin name. */
  readonly pluginOptions: Readonly<Record<string, unknown>>;
  /** The file's sections as they are written, variables unexpanded. */
  readonly written: RawConfig;
  /** What was understood and has no effect, for the log. */
  readonly notes: readonly string[];
}

export interface ParseInput {
  /** Those whose options and tools the config may speak of. */
  readonly plugins: readonly AnyPlugin[];
  /** Others that there are: it says nothing of their options, nor of their tools' arguments. */
  readonly unmentioned?: readonly NamedPlugin[];
  /** Puts in `${VAR}` and `${VAR:-default}`. */
  readonly environment: Environment;
  /** Found before, such as a plugin that can't be imported; reported with the rest. */
  readonly faults?: readonly ConfigFault[];
  /** What to call the config in messages: its path. */
  readonly source: string;
}

/**
 * Expands a config and checks it against the schema and each plugin's options, all faults at once.
 * @throws {ConfigError}
 */
export function parseConfig(
  raw: RawConfig,
  { plugins, unmentioned = [], environment, faults: earlier = [], source }: ParseInput,
): ParsedConfig {
  const known: readonly NamedPlugin[] = [...plugins, ...unmentioned];
  const toolNames = new Set(known.flatMap((plugin) => plugin.tools).map(({ name }) => name));
  const { sections: written } = readMcpBlock(raw, toolNames);
  // A variable that only a server of a toolbox needs costs that server, and the rest of the config holds.
  const usable = withoutPaths(raw, serversInNeed(raw, environment));
  const { expanded, missing } = expandConfig(usable, environment);
  const { sections, notes, faults: mcpFaults } = readMcpBlock(expanded, toolNames);
  const faults: ConfigFault[] = [...earlier, ...mcpFaults];
  // Nexus' own sections come first: a plugin may have the name of one and then has no options.
  const ownKeys = Object.keys(ConfigSchema.shape);
  const withOptions = plugins.filter(({ name }) => !ownKeys.includes(name));
  const pluginNames = known.map(({ name }) => name).filter((name) => !ownKeys.includes(name));
  for (const key of Object.keys(sections)) {
    if (!ownKeys.includes(key) && !pluginNames.includes(key)) {
      faults.push(unknownKey([key], [...ownKeys, ...pluginNames, 'mcp']));
    }
  }
  const parsed = ConfigSchema.safeParse(sections);
  if (!parsed.success) faults.push(...zodFaults(parsed.error, written, ConfigSchema));
  const pluginOptions: Record<string, unknown> = {};
  for (const plugin of withOptions) {
    const options = plugin.options.strict().safeParse(sections[plugin.name] ?? {});
    if (options.success) pluginOptions[plugin.name] = options.data;
    else {
      const section = written[plugin.name] ?? {};
      faults.push(...zodFaults(options.error, section, plugin.options).map(under(plugin.name)));
    }
  }
  faults.push(...toolFaults(sections.tools, { plugins, toolNames }));
  // Where a variable is missing, what else is wrong there only follows from it.
  const lacking = new Set(missing.map(({ path }) => path));
  const others = faults.filter(({ path }) => !lacking.has(path));
  const all = [...missing, ...others];
  if (all.length > 0 || !parsed.success) throw new ConfigError(source, all);
  return { config: parsed.data, pluginOptions, written, notes };
}

function under(section: string) {
  return ({ path, message }: ConfigFault) => ({
    path: path === '' ? section : `${section}.${path}`,
    message,
  });
}

/** Settings of tools that don't exist, and defaults that their schema would refuse. */
function toolFaults(
  settings: unknown,
  { plugins, toolNames }: { plugins: readonly AnyPlugin[]; toolNames: ReadonlySet<string> },
): ConfigFault[] {
  const tools = new Map(plugins.flatMap((plugin) => plugin.tools).map((tool) => [tool.name, tool]));
  return entriesOf(settings).flatMap(([name, setting]) => {
    const tool = tools.get(name);
    if (!toolNames.has(name)) return [unknownKey(['tools', name], [...toolNames])];
    if (!tool) return [];
    const shape = tool.input.shape;
    return entriesOf(isRecord(setting) ? setting.defaults : undefined).flatMap(([key, value]) => {
      const path = ['tools', name, 'defaults', key];
      if (!Object.hasOwn(shape, key)) return [unknownKey(path, Object.keys(shape))];
      const checked = shape[key].safeParse(value);
      return checked.success ? [] : zodFaults(checked.error, value, shape[key]).map(under(path.join('.')));
    });
  });
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}
