import { relative } from 'node:path';
import { isRecord } from '@nexus/core';
import { stableHash } from '@nexus/primitives';
import { visibleJson, visibleLine, visibleText, visibleWord } from '@nexus/untrusted/shown';
import { variableNames } from '../config/expansion/index.ts';
import type { RawConfig } from '../config/raw-config.ts';
import { boundPackages } from './bound-packages.ts';
import { hasPlugins, isSection } from './known-sections.ts';
import type { CommandLine, ProgramPlaces } from './line-files.ts';
import type { ConfigPart } from './part.ts';
import { type PluginPlaces, pluginPart } from './plugin-part.ts';
import { programFiles } from './program-files.ts';
import { serverPart } from './server-part.ts';
import { shownProgram, shownUnheld } from './shown-program.ts';

/** `true`: all below; else by key, `*` for any. */
type Harmless = true | { readonly [key: string]: Harmless };

/** A tool may be left out, listed or given another time; arguments that it gets unasked are another thing. */
const TOOL: Harmless = { enabled: true, listed: true, timeoutMs: true };
/** What a run may cost at most: it only restricts. */
const CAPS: Readonly<Record<string, true>> = { maxTokens: true, maxCostUsd: true };

/**
 * What of a config is data: it starts, loads, opens, sends and pays for nothing, and no model is told it. Whatever is
 * not listed here waits for trust, so a key that is new is safe until it is thought of.
 */
const HARMLESS: Harmless & Readonly<Record<string, Harmless>> = {
  $schema: true,
  server: { name: true },
  profile: true,
  toolMode: true,
  tools: { '*': TOOL },
  // What may reach out unasked is its user's to say.
  permissions: { allow: true, deny: true },
  limits: true,
  mcp: {
    server: { name: true, version: true, capabilities: true, transport: true },
    tools: { '*': { enabled: true, timeout: true } },
  },
  models: {
    order: true,
    default: true,
    maxAttempts: true,
    models: { '*': { contextWindow: true, maxOutputTokens: true, reads: true } },
  },
  bus: { leaseMs: true, backoffMs: true, maxBackoffMs: true, lookAgainMs: true },
  code: { maxFileBytes: true, exclude: true, maxIndexedFiles: true, watch: true },
  consensus: { models: true, ballotTimeoutMs: true, ...CAPS },
  experts: { denyTools: true, maxSteps: true, ...CAPS },
  workflows: { maxSteps: true, ...CAPS },
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
    return partsBelow(value, HARMLESS[section], { path: [section], places });
  });
}

/** What of a value is more than data, each as far down as it begins. */
function partsBelow(
  value: unknown,
  harmless: Harmless | undefined,
  at: { readonly path: readonly string[]; readonly places: PartPlaces },
): ConfigPart[] {
  const { path, places } = at;
  if (harmless === undefined) return isEmpty(value) ? [] : [settingPart(path, value, places)];
  if (harmless === true || !isRecord(value)) return variableParts(value, path);
  return Object.entries(value).flatMap(([key, each]) => {
    const below = Object.hasOwn(harmless, key) ? harmless[key] : harmless['*'];
    return partsBelow(each, below, { path: [...path, key], places });
  });
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
      ...wordsPart(toolbox, section),
      ...variableParts(without(section, ['mcpServers', 'description']), ['toolboxes', toolbox]),
    ];
  });
}

/** What models are told of a toolbox, which is the project's word and not the user's. */
function wordsPart(toolbox: string, { description }: Readonly<Record<string, unknown>>): ConfigPart[] {
  if (description === undefined || description === '') return [];
  const path = ['toolboxes', toolbox, 'description'];
  const lines = [`tells models of toolbox ${visibleLine(toolbox)}: ${visibleJson(description)}`];
  return [{ path, name: path.join('.'), lines, hash: stableHash(description) }];
}

/** Settings that act by themselves, such as an address to listen on. */
function settingPart(path: readonly string[], value: unknown, places: ProgramPlaces): ConfigPart {
  const read = commandLines(value).map((line) => programFiles(line, places));
  const files = Object.entries(Object.assign({}, ...read.map((each) => each.files)));
  const content = files.map(([file, hash]) => [relative(places.folder, file), hash]);
  const bound = boundPackages(
    read.flatMap(({ packages }) => packages),
    places.folder,
  );
  const held = [...(content.length > 0 ? [content] : []), ...(bound.length > 0 ? [{ packages: bound }] : [])];
  const shown = visibleText(JSON.stringify(value, null, 2)).split('\n');
  const words = HELD_TO_WORDS[path.join('.')]?.(value) ?? [];
  const more = [
    ...new Set(read.flatMap((each) => shownProgram(each, places.folder))),
    ...(words.length > 0 ? shownUnheld(words, places) : []),
  ];
  return {
    path,
    name: path.join('.'),
    lines: [`sets ${path.map(visibleWord).join('.')}:`, ...[...shown, ...more].map((line) => `  ${line}`)],
    hash: stableHash(held.length > 0 ? [value, ...held] : value),
  };
}

/** Command lines that run the code that is checked out, and so are held to their words: lists of program and arguments. */
const HELD_TO_WORDS: Readonly<Record<string, (value: unknown) => readonly string[][]>> = {
  'workflows.commands': (value) => (isRecord(value) ? Object.values(value).map(textsOf) : []),
  'consensus.checks': (value) =>
    Array.isArray(value) ? value.map((check) => textsOf(isRecord(check) ? check.command : undefined)) : [],
};

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
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
    const lines = [`puts ${names.join(', ')} into ${path.map(visibleWord).join('.')}: ${visibleJson(value)}`];
    return [{ path, name: path.join('.'), lines, hash: stableHash(value) }];
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
