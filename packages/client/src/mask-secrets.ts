import {
  environmentSecrets,
  holdSecrets,
  redactorFor,
  releaseLater,
  splitScheme,
  urlSecrets,
} from '@nexus/untrusted/secrets';
import type { ConnectionSettings } from './settings.ts';

/** What says how a request is to be read, and nothing of who makes it. */
const PLAIN_HEADER =
  /^(?:accept(?:-.+)?|content-.+|user-agent|cache-control|connection|host|origin|referer|mcp-protocol-version|traceparent|tracestate)$/i;

const SECRET_NAME = /key|token|secret|passw|auth|credential/i;
/** `--api-key=x`, `API_KEY=x` after `-e`, `Authorization: Bearer x` after `--header`; `key-store:/data` is a volume. */
const ASSIGNED = /^-{0,2}([\w.-]+)(?:=|:(?!\/))\s*(.*)/s;
const OPTION = /^--?([\w.-]+)$/;

/** Takes what the settings hand a server in confidence out of texts that people and models read. */
export type Mask = (text: string) => string;

/**
 * Masks the values of the environment, the headers and the OAuth secret, arguments that are named like
 * secrets, and what is secret in URLs, wherever they stand: for texts about the server by the mask, for all others
 * until the end.
 */
export function maskSecrets(settings: ConnectionSettings): { readonly mask: Mask; end(): void } {
  const { env, headers, oauth, args, url = '' } = settings;
  const named = [
    oauth?.clientSecret ?? '',
    ...args.flatMap(argumentSecrets),
    ...[url, ...args].flatMap(urlSecrets),
  ];
  // `Bearer abc`: a server may show either.
  const inHeaders = Object.entries(headers).flatMap(([name, value]) =>
    PLAIN_HEADER.test(name) ? [] : [value, ...value.split(/\s+/)],
  );
  // Whoever tells them: another server, or a message of Nexus's own.
  const release = holdSecrets([...named, ...inHeaders, ...environmentSecrets(env)]);
  const mask = redactorFor([
    ...named,
    ...inHeaders,
    ...Object.values(env),
    ...Object.values(env).flatMap(urlSecrets),
  ]);
  return { mask, end: () => releaseLater(release) };
}

/** What the settings hand a server in confidence, by where it stands. */
export function secretNames({ env, headers, oauth, args, url = '' }: ConnectionSettings): string[] {
  return [
    ...Object.entries(env).flatMap(([name, value]) =>
      environmentSecrets({ [name]: value }).some(Boolean) ? [name] : [],
    ),
    ...Object.keys(headers).flatMap((name) => (PLAIN_HEADER.test(name) ? [] : [`header ${name}`])),
    ...(oauth?.clientSecret ? ['oauth.clientSecret'] : []),
    ...(args.some((argument, index) =>
      [...argumentSecrets(argument, index, args), ...urlSecrets(argument)].some(Boolean),
    )
      ? ['args']
      : []),
    ...(urlSecrets(url).some(Boolean) ? ['url'] : []),
  ];
}

/** Of an argument, or of the one after it. */
function argumentSecrets(argument: string, index: number, all: readonly string[]): string[] {
  const [name = '', value = ''] = ASSIGNED.exec(argument)?.slice(1) ?? [
    OPTION.exec(argument)?.[1],
    all[index + 1],
  ];
  return SECRET_NAME.test(name) ? [value, splitScheme(value).secret] : [];
}
