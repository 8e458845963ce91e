import { isRecord } from '@nexus/core';
import { variableNames } from '@nexus/core/expansion';
import { isSecretArgument, isSecretName, replaceSecrets, splitScheme } from '@nexus/untrusted/secrets';

/** A variable that the imported servers need. */
export interface NeededVariable {
  readonly name: string;
  /** What it stands for: `a secret of github`, `the input api-key`. */
  readonly reason: string;
}

/** Puts variables in the place of what should not stand in a config, each value under one name. */
export interface Variables {
  /** The server with the host's own variables as ours, and its secrets as variables. */
  replaceIn(server: Readonly<Record<string, unknown>>, serverName: string): Record<string, unknown>;
  /** In the order in which they came up. */
  needed(): readonly NeededVariable[];
}

/** `${input:x}`, `${env:X}`, `${workspaceFolder}` and the like, as VS Code and Cursor have them. */
const HOST_VARIABLE =
  /\$\{(input|env):([^}]+)\}|\$\{(workspaceFolder|workspaceRoot|userHome|pathSeparator|\/)\}/g;

export function createVariables(places: Readonly<Record<string, string>>): Variables {
  const needed = new Map<string, NeededVariable>();
  const nameOf = new Map<string, string>();

  function need(name: string, reason: string): string {
    if (!needed.has(name)) needed.set(name, { name, reason });
    return `\${${name}}`;
  }

  /** The same secret is the same variable; another one of that name gets the server's name in front. */
  function needSecret(secret: string, wanted: string, serverName: string): string {
    const known = nameOf.get(secret);
    if (known !== undefined) return `\${${known}}`;
    const isTaken = (name: string) => needed.has(name);
    const ownName = toName(`${serverName}_${wanted || 'secret'}`);
    const name = wanted !== '' && !isTaken(toName(wanted)) ? toName(wanted) : firstFree(ownName, isTaken);
    nameOf.set(secret, name);
    return need(name, `a secret of ${serverName}`);
  }

  function fromHost(text: string): string {
    return text.replace(HOST_VARIABLE, (_all, kind?: string, name = '', place = '') => {
      if (kind === undefined) return places[place] ?? '';
      return need(toName(name), kind === 'input' ? `the input ${name}` : `the host’s variable ${name}`);
    });
  }

  function secretsOf(text: string, { wanted, serverName }: { wanted: string; serverName: string }): string {
    const { scheme, secret } = splitScheme(text);
    // A value with a variable in it was written by somebody who keeps secrets elsewhere.
    if (secret === '' || variableNames(text).length > 0) return text;
    return `${scheme}${needSecret(secret, wanted, serverName)}`;
  }

  return {
    replaceIn(server, serverName) {
      const inText = (text: string) =>
        replaceSecrets(text, (secret, before) => secretsOf(secret, { wanted: wordsOf(before), serverName }));
      function walk(value: unknown, key: string): unknown {
        if (typeof value === 'string') {
          const text = fromHost(value);
          return isSecretName(key) ? secretsOf(text, { wanted: key, serverName }) : inText(text);
        }
        if (Array.isArray(value)) {
          return value.map((item, index) => {
            const option = value[index - 1];
            return walk(item, isSecretArgument(option, item) ? wordsOf(String(option)) : '');
          });
        }
        if (!isRecord(value)) return value;
        return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, walk(item, name)]));
      }
      return walk(server, '') as Record<string, unknown>;
    },
    needed: () => [...needed.values()],
  };
}

/** `--api-key=` and `?api_key=` are about an `api_key`; `https://ada:` says nothing of that. */
function wordsOf(before: string): string {
  return /(?<!:\/\/.*)\b([A-Za-z][\w.-]*)\s*[=:]?\s*["']?$/.exec(before)?.[1] ?? '';
}

function toName(text: string): string {
  const name = text.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
  return name.replace(/^_+|_+$/g, '').replace(/^(?=\d|$)/, '_');
}

function firstFree(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let count = 2; isTaken(free); count += 1) free = `${name}_${count}`;
  return free;
}
