import { relative } from 'node:path';
import { isRecord } from '@nexus/core';
import { variableNames } from '@nexus/core/expansion';
import { redactSettings } from '@nexus/untrusted/secrets';
import { bundled } from '../boot/bundled.ts';
import { ownSections } from '../config/default-config.ts';
import type { RawConfig } from '../config/raw-config.ts';
import { type ConfigPart, hashOf } from './part.ts';
import { type PluginPlaces, pluginPart } from './plugin-part.ts';
import { type CommandLine, type ProgramPlaces, programFiles } from './program-files.ts';
import { serverPart } from './server-part.ts';

/**
 * Sections that are data: they start nothing, load nothing and open nothing, but for the keys named with
 * them. Whatever is not listed here waits for trust, so a section that is new is safe until it is thought of.
 */
const DATA: Readonly<Record<string, readonly string[]>> = {
  $schema: [],
  server: [],
  profile: [],
  toolMode: [],
  tools: [],
  permissions: [],
  limits: [],
  mcp: [],
  bus: ['name'],
  memory: [],
  models: ['providers'],
  observability: [],
  code: ['ripgrepPath'],
  consensus: ['checks', 'github'],
  workflows: ['commands', 'setup', 'commandEnvironment'],
};

/** Where what a config names is looked for. */
export type PartPlaces = PluginPlaces & ProgramPlaces;

/** Every part of a config as it is written, variables unexpanded, that would run, load or send something. */
export function partsOf(raw: RawConfig, places: PartPlaces): ConfigPart[] {
  return Object.entries(raw).flatMap(([section, value]) => {
    if (section === 'plugins' && Array.isArray(value)) {
      return value.flatMap((each, index) =>
        typeof each === 'string' ? [pluginPart(each, index, places)] : [],
      );
    }
    if (section === 'toolboxes' && isRecord(value)) return toolboxParts(value, places);
    // Told as a misspelt key where the config is checked.
    if (!isSection(section) && !hasPlugins(raw)) return [];
    const acting = DATA[section];
    if (!acting) return isEmpty(value) ? [] : [settingPart([section], value, places)];
    const settings = isRecord(value) ? value : {};
    const keys = acting.filter((key) => settings[key] !== undefined);
    return [
      ...keys.map((key) => settingPart([section, key], settings[key], places)),
      ...variableParts(isRecord(value) ? without(value, keys) : value, [section]),
    ];
  });
}

/** Whether Nexus or a plugin that comes with it knows the section; others may be options of the config's plugins. */
export function isSection(section: string): boolean {
  return section === 'mcp' || ownSections.includes(section) || bundled.some(({ name }) => name === section);
}

function hasPlugins({ plugins }: RawConfig): boolean {
  return Array.isArray(plugins) && plugins.length > 0;
}

function toolboxParts(toolboxes: Readonly<Record<string, unknown>>, places: PartPlaces): ConfigPart[] {
  return Object.entries(toolboxes).flatMap(([toolbox, section]) => {
    if (!isRecord(section)) return [];
    const servers = isRecord(section.mcpServers) ? section.mcpServers : {};
    return [
      ...Object.entries(servers).flatMap(([server, settings]) =>
        isRecord(settings) && settings.disabled !== true
          ? [serverPart(toolbox, server, { settings, ...places })]
          : [],
      ),
      ...variableParts(without(section, ['mcpServers']), ['toolboxes', toolbox]),
    ];
  });
}

/** Settings that act by themselves, such as an address to listen on. */
function settingPart(path: readonly string[], value: unknown, places: ProgramPlaces): ConfigPart {
  const files = Object.entries(
    Object.assign({}, ...commandLines(value).map((line) => programFiles(line, places))),
  );
  const content = files.map(([file, hash]) => [relative(places.folder, file), hash]);
  const shown = JSON.stringify(redactSettings(value, path), null, 2);
  return {
    path,
    name: path.join('.'),
    lines: [
      `sets ${path.join('.')}:`,
      ...shown.split('\n').map((line) => `  ${line}`),
      ...content.map(([file]) => `  from ${file}, as it is now`),
    ],
    hash: hashOf(content.length > 0 ? [value, content] : value),
  };
}

/** Programs that a setting names: as its value, or as a `command` somewhere in it. */
function commandLines(value: unknown): CommandLine[] {
  if (typeof value === 'string') return [{ command: value }];
  if (typeof value !== 'object' || value === null) return [];
  const own = isRecord(value) && typeof value.command === 'string' ? [value] : [];
  return [
    ...own,
    ...Object.values(value)
      .filter((each) => typeof each === 'object')
      .flatMap(commandLines),
  ];
}

/** Each text of a value that has a variable in it, which would carry the user's environment somewhere. */
function variableParts(value: unknown, path: readonly string[]): ConfigPart[] {
  if (typeof value === 'string') {
    const names = variableNames(value);
    if (names.length === 0) return [];
    const lines = [
      `puts ${names.join(', ')} into ${path.join('.')}: ${JSON.stringify(redactSettings(value, path))}`,
    ];
    return [{ path, name: path.join('.'), lines, hash: hashOf(value) }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => variableParts(item, [...path, key]));
}

function without(value: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

/** `nexus init` writes empty sections to be filled in. */
function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value as object).length === 0);
}
