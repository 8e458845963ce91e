import { isRecord } from '@nexus/core/json-type';
import { matchesName, nearestNames } from '@nexus/plugin-sdk';
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
  const toolboxes = isRecord(config.toolboxes) ? config.toolboxes : {};
  if (Object.values(toolboxes).some((toolbox) => isRecord(toolbox) && toolbox.prefix === false)) return [];
  return LISTS.flatMap(([section, key]) => {
    const elsewhere = namesIn(said, section, key);
    return namesIn(config, section, key)
      .filter((name) => !/[$]|__/.test(name) && !elsewhere.includes(name))
      .filter((name) => !tools.some((tool) => matchesName(name, tool)) && !mayBeOf(toolboxes, name))
      .map((name) => {
        const [near] = nearestNames(name.replaceAll('*', ''), tools, 1);
        const hint = near === undefined ? '`nexus tools` lists them' : `did you mean ${near}?`;
        return `${section}.${key} names "${name}", and no tool is called that; ${hint}`;
      });
  });
}

/** Whether a pattern may mean tools of one of these toolboxes, whose names begin with theirs. */
function mayBeOf(toolboxes: RawConfig, pattern: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  return (
    rest.length > 0 &&
    Object.keys(toolboxes).some((each) => `${each}__`.startsWith(head) || head.startsWith(`${each}__`))
  );
}

function namesIn(config: RawConfig, section: string, key: string): string[] {
  const named = Object.hasOwn(config, section) ? config[section] : undefined;
  const list = isRecord(named) ? named[key] : undefined;
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];
}
