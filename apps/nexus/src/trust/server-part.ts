import { isRecord } from '@nexus/core';
import { variableNames } from '@nexus/core/expansion';
import { redactSettings } from '@nexus/untrusted/secrets';
import { type ConfigPart, hashOf } from './part.ts';

/** What changes how a server's tools are shown, and nothing of what runs or is sent. */
const SHOWN_ONLY: readonly string[] = ['toolFilters', 'tools', 'timeoutMs', 'disabled', 'isolation'];

/** One server of a toolbox as a part: what it starts or where it sends, and what with. */
export function serverPart(
  toolbox: string,
  server: string,
  settings: Readonly<Record<string, unknown>>,
): ConfigPart {
  const entries = Object.entries(settings);
  const acting = Object.fromEntries(entries.filter(([key]) => !SHOWN_ONLY.includes(key)));
  const shown = Object.fromEntries(entries.filter(([key]) => SHOWN_ONLY.includes(key)));
  const variables = textsWithVariables(shown);
  const path = ['toolboxes', toolbox, 'mcpServers', server];
  const masked = redactSettings(acting);
  return {
    path,
    name: path.join('.'),
    lines: [
      `toolbox ${toolbox}, server ${server}:`,
      ...describe(isRecord(masked) ? masked : {}).map((line) => `  ${line}`),
      ...variables.map((text) => `  puts variables into ${text}`),
    ],
    hash: hashOf(variables.length > 0 ? [acting, variables] : acting),
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

/** As a shell would need it, so that what is one argument is seen to be one. */
function word(value: unknown): string {
  const one = text(value);
  return /^[\w@%+=:,./${}*-]+$/.test(one) ? one : JSON.stringify(one);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function textsWithVariables(value: unknown): string[] {
  if (typeof value === 'string') return variableNames(value).length > 0 ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsWithVariables);
}
