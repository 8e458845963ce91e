import { isRecord } from '@nexus/core';
import { isSecretName } from '@nexus/untrusted/secrets';
import { variableNames } from '../../config/expansion/index.ts';
import { type Hide, hideInArguments, hideInText, hideInUrl, hideSetting, hideWhole } from './hide-secrets.ts';
import type { Machine } from './host-files.ts';
import { portableCommand, portableText } from './portable-paths.ts';

/** A variable that the imported servers need. */
export interface NeededVariable {
  readonly name: string;
  /** What it stands for: `a secret of github`, `the input api-key`. */
  readonly reason: string;
}

/** Puts variables in the place of what should not stand in a config, each value under one name. */
export interface Variables {
  /**
   * The server as a config can have it that others read: the host's own variables as ours, its secrets as
   * variables, no path of this machine where there is another way.
   * @param before the server of that name in the config, whose variables are kept
   */
  replaceIn(
    server: Readonly<Record<string, unknown>>,
    serverName: string,
    before?: unknown,
  ): Record<string, unknown>;
  /** In the order in which they came up. */
  needed(): readonly NeededVariable[];
  /** The values of those that stood in the host's file: for that file alone. */
  values(): Readonly<Record<string, string>>;
}

/** `${input:x}`, `${env:X}`, `${workspaceFolder}` and the like, as VS Code and Cursor have them. */
const HOST_VARIABLE =
  /\$\{(input|env):([^}]+)\}|\$\{(workspaceFolder|workspaceRoot|userHome|pathSeparator|\/)\}/g;

/** @param taken names that stand for something else already: in the config, or in what is imported */
export function createVariables(machine: Machine, taken: ReadonlySet<string>): Variables {
  const needed = new Map<string, NeededVariable>();
  const nameOf = new Map<string, string>();
  const values = new Map<string, string>();
  const { platform, env } = machine;
  const separator = platform === 'win32' ? '\\' : '/';
  const places: Readonly<Record<string, string>> = {
    userHome: platform === 'win32' ? '${USERPROFILE}' : '${HOME}',
    pathSeparator: separator,
    '/': separator,
  };

  function need(name: string, reason: string): string {
    if (!needed.has(name)) needed.set(name, { name, reason });
    return `\${${name}}`;
  }

  /**
   * The name for a value: the same for the same value, and none that means something else, since a server
   * would be handed that.
   */
  function nameFor(
    about: string,
    wanted: string,
    { serverName, value }: { serverName: string; value?: string },
  ) {
    const known = nameOf.get(about);
    if (known !== undefined) return known;
    const isFree = (name: string) =>
      !needed.has(name) && !taken.has(name) && (env[name] === undefined || env[name] === value);
    // After server and key, so that whoever sets it knows what it is for; a key that begins so says it already.
    const key = toName(wanted || 'secret');
    const server = toName(serverName);
    const own = key === server || key.startsWith(`${server}_`) ? key : toName(`${serverName}_${key}`);
    // Where the value is in the environment already, under what the host calls it, nobody has to set it again.
    const isSet = value !== undefined && wanted !== '' && env[key] === value && isFree(key);
    const name = isSet ? key : firstFree(own, isFree);
    nameOf.set(about, name);
    return name;
  }

  function fromHost(text: string, serverName: string, project = '.'): string {
    return text.replace(HOST_VARIABLE, (_all, kind?: string, name = '', place = '') => {
      if (kind === undefined) return places[place] ?? project;
      if (kind === 'env') return need(toVariable(name), `the host’s variable ${name}`);
      return need(nameFor(`input ${name}`, name, { serverName }), `the input ${name}`);
    });
  }

  return {
    replaceIn(server, serverName, before) {
      const asBefore = keptNames(before);
      const hide: Hide = (secret, about) => {
        const reason = `a secret of ${serverName}, or what may be one`;
        const kept = asBefore(about);
        const name = kept ?? nameFor(`secret ${secret}`, about, { serverName, value: secret });
        values.set(name, secret);
        return need(name, reason);
      };
      const hiding = { hide, machine };
      const text = (value: unknown, work: (value: string) => string, project?: string) =>
        typeof value === 'string'
          ? portableText(work(fromHost(value, serverName, project)), machine, project)
          : value;
      const settings = (value: unknown) =>
        isRecord(value)
          ? Object.fromEntries(
              Object.entries(value).map(([key, each]) => [
                key,
                text(each, (one) => hideSetting(one, key, hiding), '${workspaceFolder}'),
              ]),
            )
          : value;
      const parts: Readonly<Record<string, (value: unknown) => unknown>> = {
        command: (value) =>
          typeof value === 'string' ? portableCommand(fromHost(value, serverName), machine) : value,
        args: (value) =>
          Array.isArray(value)
            ? hideInArguments(
                value.map((each) => (typeof each === 'string' ? fromHost(each, serverName) : each)),
                hiding,
              ).map((each) => (typeof each === 'string' ? portableText(each, machine) : each))
            : value,
        env: settings,
        headers: settings,
        cwd: (value) => text(value, (one) => one),
        url: (value) => text(value, (one) => hideInUrl(one, hide)),
        oauth: (value) =>
          isRecord(value)
            ? Object.fromEntries(
                Object.entries(value).map(([key, each]) => [
                  key,
                  text(each, (one) =>
                    isSecretName(key) ? hideWhole(one, key, hide) : hideInText(one, 'id', hiding),
                  ),
                ]),
              )
            : value,
      };
      return Object.fromEntries(
        Object.entries(server).map(([key, value]) => [
          key,
          Object.hasOwn(parts, key) ? parts[key]?.(value) : value,
        ]),
      );
    },
    needed: () => [...needed.values()],
    values: () => Object.fromEntries(values),
  };
}

/** The names that a server has in the config already, by what they are about, each given once. */
function keptNames(before: unknown): (about: string) => string | undefined {
  const names = variableNames(JSON.stringify(before ?? null));
  return (about) => {
    const wanted = toName(about || 'secret');
    const at = names.findIndex((name) => name === wanted || name.replace(/_\d+$/, '').endsWith(`_${wanted}`));
    return at < 0 ? undefined : names.splice(at, 1)[0];
  };
}

/** A variable of the host's, by its own name where ours can bear it. */
function toVariable(name: string): string {
  return /^[A-Z_][A-Z0-9_]*$/.test(name) ? name : toName(name);
}

function toName(text: string): string {
  const name = text.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
  return name.replace(/^_+|(?<!_)_+$/g, '').replace(/^(?=\d|$)/, '_');
}

function firstFree(name: string, isFree: (name: string) => boolean): string {
  let free = name;
  for (let count = 2; !isFree(free); count += 1) free = `${name}_${count}`;
  return free;
}
