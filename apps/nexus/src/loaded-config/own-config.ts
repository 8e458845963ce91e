import { isRecord } from '@nexus/core/json-type';
import { ConfigError } from '../config/config-fault.ts';
import { expandConfig } from '../config/expand-config.ts';
import type { Environment } from '../config/expansion/index.ts';
import { readMcpBlock } from '../config/mcp-block.ts';
import { RESTRICTING } from '../config/own-restrictions.ts';
import type { RawConfig } from '../config/raw-config.ts';
import { hasPlugins, isSection } from '../trust/known-sections.ts';

/** The user's own config, where another one counts. */
export interface OwnConfig {
  readonly file: string;
  /** The file, whole. */
  readonly raw: RawConfig;
}

interface OwnCheck {
  readonly env: Environment;
  readonly toolNames: ReadonlySet<string>;
  /** What the project’s config says of plugins that wait for trust, by sections: so these are no prohibition, misspelt. */
  readonly ofWaiting: ReadonlySet<string>;
  /** @throws {ConfigError} all faults at once */
  check(raw: RawConfig): Promise<unknown>;
}

/** Texts that forbid something: a variable that one lacks is a fault, as it is of no other setting here. */
const FORBIDDING_TEXTS = /^(permissions|experts\.denyTools|code\.exclude)\./;

/**
 * The sections of the user's own config that forbid something, variables put in. What of it can't be read can't be
 * kept, so a fault there stops the boot, and so does a section that nobody knows: it may be one of these, misspelt.
 * @throws {ConfigError} all faults at once
 */
export async function ownSectionsOf(
  { file, raw }: OwnConfig,
  { env, toolNames, ofWaiting, check }: OwnCheck,
): Promise<RawConfig> {
  const whole = restrictingPart(raw, { toolNames, ofWaiting });
  if (Object.keys(whole).length === 0) return {};
  const { expanded, missing } = expandConfig(whole, env);
  const harmless = new Set(missing.map(({ path }) => path).filter((path) => !FORBIDDING_TEXTS.test(path)));
  try {
    await check(whole);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const faults = error.faults.filter(({ path }) => !harmless.has(path));
    if (faults.length > 0) throw new ConfigError(file, faults);
  }
  return readMcpBlock(expanded, toolNames).sections;
}

/** Where it names plugins of its own, which are not loaded here, what nobody knows may be theirs. */
function restrictingPart(
  raw: RawConfig,
  { toolNames, ofWaiting }: Pick<OwnCheck, 'toolNames' | 'ofWaiting'>,
): RawConfig {
  const mayBeTheirs = hasPlugins(raw);
  const restricting = Object.entries(raw).filter(
    ([name]) =>
      RESTRICTING.includes(name) ||
      name === 'mcp' ||
      !(mayBeTheirs || ofWaiting.has(name) || isSection(name)),
  );
  const part = Object.fromEntries(restricting);
  if (!mayBeTheirs || !isRecord(part.tools)) return part;
  const known = Object.entries(part.tools).filter(([name]) => toolNames.has(name));
  return { ...part, tools: Object.fromEntries(known) };
}
