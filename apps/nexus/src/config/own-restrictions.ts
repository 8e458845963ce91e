import { isRecord } from '@nexus/core/json-type';
import type { RawConfig } from './raw-config.ts';

/** Lists of what must not be used. */
const DENIED = [
  ['permissions', 'deny'],
  ['experts', 'denyTools'],
] as const;
/** What runs may cost at most. */
const CAPPED = ['consensus', 'experts', 'workflows'] as const;
const CAPS = ['maxTokens', 'maxCostUsd'] as const;

/**
 * A project's config, held to what its user forbids in a config of their own: what is denied there is denied here too,
 * tools that are off there stay off, and of two caps the lower counts. Whoever opens a project loses no prohibition to
 * a file that lies in it.
 */
export function withOwnRestrictions(project: RawConfig, own: RawConfig): RawConfig {
  let held = project;
  for (const [section, key] of DENIED) {
    const denied = textsIn(sectionOf(own, section)[key]);
    if (denied.length === 0) continue;
    const here = sectionOf(held, section)[key];
    // Of another form it is a fault of the project's file, and told as that.
    if (here !== undefined && !Array.isArray(here)) continue;
    held = withKey(held, section, { [key]: [...new Set([...(here ?? []), ...denied])] });
  }
  for (const section of CAPPED) {
    for (const key of CAPS) {
      const [cap, here] = [sectionOf(own, section)[key], sectionOf(held, section)[key]];
      if (typeof cap !== 'number' || (here !== undefined && (typeof here !== 'number' || here <= cap)))
        continue;
      held = withKey(held, section, { [key]: cap });
    }
  }
  const off = Object.entries(sectionOf(own, 'tools')).filter(
    ([, tool]) => isRecord(tool) && tool.enabled === false,
  );
  for (const [name] of off) {
    const here = sectionOf(held, 'tools')[name];
    held = withKey(held, 'tools', { [name]: { ...(isRecord(here) ? here : {}), enabled: false } });
  }
  return held;
}

function sectionOf(config: RawConfig, name: string): Readonly<Record<string, unknown>> {
  const section = Object.hasOwn(config, name) ? config[name] : undefined;
  return isRecord(section) ? section : {};
}

/** A section of another form is left as it is, for the check to tell. */
function withKey(config: RawConfig, name: string, more: Readonly<Record<string, unknown>>): RawConfig {
  const section = config[name];
  if (section !== undefined && section !== null && !isRecord(section)) return config;
  return { ...config, [name]: { ...(isRecord(section) ? section : {}), ...more } };
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
