import { relative } from 'node:path';
import { isRecord } from '@nexus/core';
import { type Environment, ExpansionError, expandVariables, variableNames } from '@nexus/core/expansion';
import { redactSettings } from '@nexus/untrusted/secrets';
import { type ConfigPart, hashOf } from './part.ts';
import { type CommandLine, type ProgramPlaces, programFiles } from './program-files.ts';

/** What changes how a server's tools are shown, and nothing of what runs or is sent. */
const SHOWN_ONLY: readonly string[] = ['toolFilters', 'tools', 'timeoutMs', 'disabled', 'isolation'];

const MAX_SHOWN_FILES = 8;

/** A server's section, and where its command line is read. */
export interface ServerInPlace extends ProgramPlaces {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly environment: Environment;
}

/** One server of a toolbox as a part: what it starts or where it sends, and what with. */
export function serverPart(
  toolbox: string,
  server: string,
  { settings, folder, top, environment }: ServerInPlace,
): ConfigPart {
  const entries = Object.entries(settings);
  const acting = Object.fromEntries(entries.filter(([key]) => !SHOWN_ONLY.includes(key)));
  const shown = Object.fromEntries(entries.filter(([key]) => SHOWN_ONLY.includes(key)));
  const variables = textsWithVariables(shown);
  const files = programFiles(expandedIfSet(acting, environment), { folder, top });
  const content = Object.entries(files).map(([file, hash]) => [relative(folder, file), hash]);
  const path = ['toolboxes', toolbox, 'mcpServers', server];
  const hashed = [
    acting,
    ...(variables.length > 0 ? [variables] : []),
    ...(content.length > 0 ? [{ files: content }] : []),
  ];
  const masked = redactSettings(acting);
  return {
    path,
    name: path.join('.'),
    lines: [
      `toolbox ${toolbox}, server ${server}:`,
      ...describe(isRecord(masked) ? masked : {}).map((line) => `  ${line}`),
      ...variables.map((text) => `  puts variables into ${text}`),
      ...shownFiles(content.map(([file = '']) => file)).map((line) => `  ${line}`),
    ],
    hash: hashOf(hashed.length > 1 ? hashed : acting),
    files,
  };
}

function describe({ command, args, url, ...rest }: Readonly<Record<string, unknown>>): string[] {
  return [
    ...(command === undefined
      ? []
      : [`runs ${[command, ...(Array.isArray(args) ? args : [])].map(word).join(' ')}`]),
    ...(url === undefined ? [] : [`sends to ${String(url)}`]),
    ...Object.entries(rest).flatMap(([key, value]) =>
      isRecord(value)
        ? Object.entries(value).map(([name, each]) => `with ${key} ${name}=${text(each)}`)
        : [`with ${key} ${text(value)}`],
    ),
  ];
}

/** All of them are held to; a bundle's hundreds need not be read. */
function shownFiles(files: readonly string[]): string[] {
  const more = files.length - MAX_SHOWN_FILES;
  return [
    ...files.slice(0, MAX_SHOWN_FILES).map((file) => `from ${file}, as it is now`),
    ...(more > 0 ? [`and from ${more} more files that these import`] : []),
  ];
}

/** As a shell would need it, so that what is one argument is seen to be one. */
function word(value: unknown): string {
  const one = text(value);
  return /^[\w@%+=:,./${}*-]+$/.test(one) ? one : JSON.stringify(one);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** With variables that are not set it is not started. */
function expandedIfSet(settings: CommandLine, environment: Environment): CommandLine {
  try {
    return expandVariables(settings, environment) as CommandLine;
  } catch (error) {
    if (error instanceof ExpansionError) return settings;
    throw error;
  }
}

function textsWithVariables(value: unknown): string[] {
  if (typeof value === 'string') return variableNames(value).length > 0 ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsWithVariables);
}
