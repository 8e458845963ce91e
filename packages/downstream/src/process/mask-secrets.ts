import { redactorFor } from '@nexus/untrusted/secrets';
import type { ServerSettings } from '../settings.ts';

const SECRET_NAME = /key|token|secret|passw|auth|credential/i;

/** Takes what the settings hand a server in confidence out of texts that people and models read. */
export type Mask = (text: string) => string;

/**
 * Masks the values of the environment, the headers and the OAuth secret, arguments that are named like
 * secrets, and what is secret in URLs, wherever they stand.
 */
export function maskSecrets(settings: ServerSettings): Mask {
  const values = [
    ...Object.values(settings.env),
    // `Bearer abc`: a server may show either.
    ...Object.values(settings.headers).flatMap((value) => [value, ...value.split(/\s+/)]),
    settings.oauth?.clientSecret ?? '',
    ...settings.args.flatMap(argumentSecrets),
    ...[settings.url ?? '', ...settings.args, ...Object.values(settings.env)].flatMap(urlSecrets),
  ];
  return redactorFor(values);
}

/** `--api-key=x`, and `--api-key` with `x` after it. */
function argumentSecrets(argument: string, index: number, all: readonly string[]): string[] {
  const [, name = '', value = all[index + 1]] = /^--?([\w-]+)(?:=(.*))?$/s.exec(argument) ?? [];
  return SECRET_NAME.test(name) && value !== undefined ? [value] : [];
}

function urlSecrets(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { password, searchParams, search } = new URL(url);
  const written = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
  return [password, ...searchParams.values(), ...written];
}
