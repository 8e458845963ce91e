import type { OwnPermissions } from '@nexus/core';
import { isRecord } from '@nexus/core/json-type';
import type { RawConfig } from './raw-config.ts';

/** Lists of what must not be used or read. */
const DENIED = [
  ['permissions', 'deny'],
  ['experts', 'denyTools'],
  ['code', 'exclude'],
] as const;

const CAPS = ['maxTokens', 'maxCostUsd', 'maxSteps'];
/** Numbers of which the lower restricts more: what runs may cost, how much is read, how much is taken at once. */
const LIMITS: Readonly<Record<string, readonly string[]>> = {
  consensus: CAPS,
  experts: CAPS,
  workflows: CAPS,
  code: ['maxFileBytes', 'maxIndexedFiles'],
  models: ['maxAttempts'],
  limits: [
    'callsPerSecond',
    'burst',
    'callsInFlight',
    'runsPerProcess',
    'runsPerProject',
    'argumentCharsInFlight',
    'maxMessageBytes',
    'maxResultChars',
  ],
};

/** Sections of a user's own config that forbid something in a project, too; tools are off by permission there. */
export const RESTRICTING: readonly string[] = ['permissions', 'tools', 'sources', ...Object.keys(LIMITS)];

/**
 * A project's config, held to what its user forbids in a config of their own: what is denied there is denied here too,
 * what is off there stays off, and of two limits the lower counts. Whoever opens a project loses no prohibition to a
 * file that lies in it.
 * @param own its sections, checked
 */
export function withOwnRestrictions(project: RawConfig, own: RawConfig): RawConfig {
  let held = project;
  for (const [section, key] of DENIED) {
    const denied = [
      ...textsIn(sectionOf(own, section)[key]),
      ...(section === 'permissions' ? offIn(own) : []),
    ];
    const here = sectionOf(held, section)[key];
    // Of another form it is a fault of the project's file, and told as that.
    if (denied.length === 0 || (here !== undefined && !Array.isArray(here))) continue;
    held = withKey(held, section, { [key]: [...new Set([...(here ?? []), ...denied])] });
  }
  for (const [section, keys] of Object.entries(LIMITS)) {
    for (const key of keys) {
      const [limit, here] = [sectionOf(own, section)[key], sectionOf(held, section)[key]];
      const isLower =
        typeof limit === 'number' && (here === undefined || (typeof here === 'number' && limit < here));
      if (isLower) held = withKey(held, section, { [key]: limit });
    }
  }
  held = withKey(held, 'sources', turnedOff(sectionOf(own, 'sources'), sectionOf(held, 'sources')));
  const providers = (config: RawConfig) => sectionOf(sectionOf(config, 'models'), 'providers');
  const off = turnedOff(providers(own), providers(held));
  if (Object.keys(off).length === 0) return held;
  return withKey(held, 'models', { providers: { ...providers(held), ...off } });
}

/** What says no to a call in the user's own name; undefined where nothing does. */
export function ownPermissions(own: RawConfig, file: string): OwnPermissions | undefined {
  const { allow, deny } = sectionOf(own, 'permissions');
  const [denied, off] = [textsIn(deny), offIn(own)];
  if (!Array.isArray(allow) && denied.length === 0 && off.length === 0) return undefined;
  return { file, deny: denied, off, ...(Array.isArray(allow) ? { allow: textsIn(allow) } : {}) };
}

/** Tools that are off. */
function offIn(own: RawConfig): string[] {
  return Object.keys(turnedOff(sectionOf(own, 'tools'), {}));
}

/** Each that is off in a section, with what else is said of it here. */
function turnedOff(own: RawConfig, here: RawConfig): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(own).flatMap(([name, each]) =>
      isRecord(each) && each.enabled === false ? [[name, { ...sectionOf(here, name), enabled: false }]] : [],
    ),
  );
}

function sectionOf(config: RawConfig, name: string): Readonly<Record<string, unknown>> {
  const section = Object.hasOwn(config, name) ? config[name] : undefined;
  return isRecord(section) ? section : {};
}

/** A section of another form is left as it is, for the check to tell. */
function withKey(config: RawConfig, name: string, more: Readonly<Record<string, unknown>>): RawConfig {
  const section = config[name];
  if (Object.keys(more).length === 0) return config;
  if (section !== undefined && section !== null && !isRecord(section)) return config;
  return { ...config, [name]: { ...(isRecord(section) ? section : {}), ...more } };
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
