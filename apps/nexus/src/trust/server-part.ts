import { relative } from 'node:path';
import { isRecord } from '@nexus/core';
import { stableHash } from '@nexus/primitives';
import { visibleJson, visibleLine, visibleWord } from '@nexus/untrusted/shown';
import {
  type Environment,
  ExpansionError,
  expandVariables,
  variableNames,
} from '../config/expansion/index.ts';
import { boundPackages } from './bound-packages.ts';
import type { CommandLine, ProgramPlaces } from './line-files.ts';
import type { ConfigPart } from './part.ts';
import { programFiles } from './program-files.ts';
import { shownProgram } from './shown-program.ts';

/** What leaves out tools or bounds calls. Names and words for tools are none of it: they decide what an agent calls. */
const SHOWN_ONLY: readonly string[] = ['toolFilters', 'timeoutMs', 'disabled', 'isolation'];

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
  const program = programFiles(expandedIfSet(acting, environment, top), { folder, top });
  const { files, absent } = program;
  const bound = boundPackages(program.packages, folder);
  const content = Object.entries(files).map(([file, hash]) => [relative(folder, file), hash]);
  const path = ['toolboxes', toolbox, 'mcpServers', server];
  const hashed = [
    acting,
    ...(variables.length > 0 ? [variables] : []),
    ...(content.length > 0 ? [{ files: content }] : []),
    ...(bound.length > 0 ? [{ packages: bound }] : []),
  ];
  return {
    path,
    name: path.join('.'),
    lines: [
      `toolbox ${visibleLine(toolbox)}, server ${visibleLine(server)}:`,
      ...describe(acting).map((line) => `  ${line}`),
      ...variables.map((text) => `  puts variables into ${visibleJson(text)}`),
      ...shownProgram(program, folder).map((line) => `  ${line}`),
    ],
    hash: stableHash(hashed.length > 1 ? hashed : acting),
    files: { ...files, ...Object.fromEntries(absent.map((path) => [path, ''])) },
  };
}

function describe({ command, args, url, ...rest }: Readonly<Record<string, unknown>>): string[] {
  return [
    ...(command === undefined
      ? []
      : [`runs ${[command, ...(Array.isArray(args) ? args : [])].map(word).join(' ')}`]),
    ...(url === undefined ? [] : [`sends to ${word(url)}`]),
    ...Object.entries(rest).flatMap(([key, value]) =>
      isRecord(value)
        ? Object.entries(value).map(
            ([name, each]) => `with ${visibleWord(key)} ${visibleWord(name)}=${word(each)}`,
          )
        : [`with ${visibleWord(key)} ${word(value)}`],
    ),
  ];
}

function word(value: unknown): string {
  return typeof value === 'string' ? visibleWord(value) : visibleJson(value);
}

/** With variables that are not set it is not started. */
function expandedIfSet(settings: CommandLine, environment: Environment, projectRoot: string): CommandLine {
  try {
    return expandVariables(settings, environment, projectRoot) as CommandLine;
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
