import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isSecretArgument, isSecretName, replaceSecrets, splitScheme } from '@nexus/untrusted/secrets';
import { variableNames } from '../../config/expansion/index.ts';
import type { Machine } from './host-files.ts';
import { isPlain, isPlainSetting } from './plain-value.ts';
import { portableText } from './portable-paths.ts';

/** Puts something else in the place of a secret; `about` is what it is called by, such as `api-key`. */
export type Hide = (secret: string, about: string) => string;

/** What is done with secrets, and the machine whose own folders are none, whatever they are called. */
export interface Hiding {
  readonly hide: Hide;
  readonly machine: Machine;
}

/** `--api-key=abc`, `TOKEN=abc`. */
const ASSIGNMENT = /^(-{0,2}[A-Za-z_][\w.-]*)=(.*)$/s;
/** `-phunter2`, and not `-j4` or `-Xmx512m`. */
const ATTACHED = /^(-[pPutks])((?=.*\d)(?!\d+$).+)$/;
/** `--verbose`, `-y`, and `GITHUB_TOKEN` after `docker run -e`. */
const NAME_ALONE = /^(?:--?[A-Za-z][\w-]*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)$/;
const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i;
/** What stands between the marks of a URL, after its host. */
const URL_PIECE = /([/?&=#])([^/?&=#]+)/g;

/** Arguments with every secret hidden, and with what may be one. */
export function hideInArguments(args: readonly unknown[], hiding: Hiding): unknown[] {
  const { hide } = hiding;
  return args.map((arg, index) => {
    if (typeof arg !== 'string') return arg;
    const before = args[index - 1];
    const option = typeof before === 'string' && /^--?[A-Za-z][\w-]*$/.test(before) ? before : '';
    if (isSecretArgument(option, arg)) return hideWhole(arg, wordsOf(option), hide);
    return hideInArgument(arg, option, hiding);
  });
}

function hideInArgument(arg: string, option: string, hiding: Hiding): string {
  const { hide } = hiding;
  const [, attached = '', value = ''] = ATTACHED.exec(arg) ?? [];
  if (attached !== '') return `${attached}${hide(value, '')}`;
  if (NAME_ALONE.test(arg) && !(option !== '' && /^-[pPutks]$/.test(option))) return hideKnown(arg, hide);
  const [, name, assigned] = ASSIGNMENT.exec(arg) ?? [];
  if (name !== undefined && assigned !== undefined) {
    if (isSecretName(name)) return `${name}=${hideWhole(assigned, wordsOf(name), hide)}`;
    return `${name}=${hideInText(assigned, name, hiding)}`;
  }
  return hideInText(arg, option, hiding);
}

/** An entry of `env` or `headers`. */
export function hideSetting(value: string, key: string, { hide, machine }: Hiding): string {
  if (isSecretName(key)) return hideWhole(value, key, hide);
  const known = hideKnown(value, hide);
  if (known !== value || variableNames(value).length > 0) return known;
  if (URL_START.test(value)) return hideInUrl(value, hide);
  const portable = portableText(value, machine);
  return isPlainSetting(portable, key) || isPath(value) || isPlainPath(portable)
    ? value
    : hideWhole(value, key, hide);
}

/** Any other text. */
export function hideInText(text: string, about: string, { hide, machine }: Hiding): string {
  const known = hideKnown(text, hide);
  if (known !== text || variableNames(text).length > 0) return known;
  if (URL_START.test(text)) return hideInUrl(text, hide);
  if (isPlain(portableText(text, machine), about) || isThere(text, machine.projectRoot)) return text;
  return hide(text, wordsOf(about));
}

export function hideInUrl(url: string, hide: Hide): string {
  const known = hideKnown(url, hide);
  const [start = '', host = '', rest = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)([/?#].*)?$/is.exec(known)?.slice(1) ?? [];
  if (start === '') return known;
  const user = /^([^@$]+)@/.exec(host)?.[1];
  const shownHost = user === undefined || user.includes(':') ? host : host.replace(user, hide(user, ''));
  const pieces = rest.replace(URL_PIECE, (all, mark: string, piece: string) =>
    variableNames(piece).length > 0 || isPlain(decoded(piece), '') ? all : `${mark}${hide(piece, '')}`,
  );
  return `${start}${shownHost}${pieces}`;
}

/** What its context or its format shows to be a secret. */
function hideKnown(text: string, hide: Hide): string {
  return replaceSecrets(text, (secret, before) => hideWhole(secret, wordsOf(before), hide));
}

/** A value that is a secret as a whole, but for a scheme in front of it. */
export function hideWhole(text: string, about: string, hide: Hide): string {
  const { scheme, secret } = splitScheme(text);
  // A value with a variable in it was written by somebody who keeps secrets elsewhere.
  if (secret === '' || variableNames(text).length > 0) return text;
  return `${scheme}${hide(secret, about)}`;
}

function isPath(value: string): boolean {
  return /^(?:\.{0,2}[/\\]|~|[A-Za-z]:[/\\])/.test(value) && existsSync(value);
}

/** A place that is not here yet: of words alone, a folder and something in it at least. */
function isPlainPath(value: string): boolean {
  const isPlace = /^(?:\.{0,2}[/\\]|~[/\\]|\$\{HOME\}[/\\]|[A-Za-z]:[/\\])/.test(value);
  return isPlace && (value.match(/[/\\]/g) ?? []).length >= 2 && isPlain(value, 'path');
}

/** A file that is there is named, and no secret. */
function isThere(text: string, folder: string): boolean {
  return (
    /[/\\.]/.test(text) && text.length < 4_096 && !text.includes('\0') && existsSync(resolve(folder, text))
  );
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}

/** `--api-key=` and `?api_key=` are about an `api_key`; `https://ada:` says nothing of that. */
function wordsOf(before: string): string {
  const plain = before.replace(/["']$/, '').trimEnd().replace(/[=:]$/, '').trimEnd();
  const run = /(?<![\w.-])[\w.-]+$/.exec(plain);
  const name = /\b[A-Za-z].*/.exec(run?.[0] ?? '');
  if (!run || !name) return '';
  const start = run.index + name.index;
  return plain.slice(plain.lastIndexOf('\n', start) + 1, start).includes('://') ? '' : name[0];
}
