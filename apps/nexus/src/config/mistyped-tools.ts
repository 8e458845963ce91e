import { isRecord } from '@nexus/core/json-type';
import { nearestNames } from '@nexus/plugin-sdk';
import type { RawConfig } from './raw-config.ts';

/** Lists of tools that may or must not be called. */
const LISTS = [
  ['permissions', 'allow'],
  ['permissions', 'deny'],
  ['experts', 'denyTools'],
] as const;

/**
 * What lists of a config name and no tool is called, a sentence each: a mistyped `deny` denies nothing. Tools of
 * toolboxes are known only once their servers were seen, so names of theirs are left alone.
 * @param config its sections
 * @param said by another file, which is told of them
 */
export function mistypedTools(config: RawConfig, tools: readonly string[], said: RawConfig = {}): string[] {
  const toolboxes = isRecord(config.toolboxes) ? Object.values(config.toolboxes) : [];
  if (toolboxes.some((toolbox) => isRecord(toolbox) && toolbox.prefix === false)) return [];
  return LISTS.flatMap(([section, key]) => {
    const elsewhere = namesIn(said, section, key);
    return namesIn(config, section, key)
      .filter((name) => !/[*$]|__/.test(name) && !tools.includes(name) && !elsewhere.includes(name))
      .map((name) => {
        const [near] = nearestNames(name, tools, 1);
        const hint = near === undefined ? '`nexus tools` lists them' : `did you mean ${near}?`;
        return `${section}.${key} names "${name}", and no tool is called that; ${hint}`;
      });
  });
}

function namesIn(config: RawConfig, section: string, key: string): string[] {
  const named = Object.hasOwn(config, section) ? config[section] : undefined;
  const list = isRecord(named) ? named[key] : undefined;
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];
}
