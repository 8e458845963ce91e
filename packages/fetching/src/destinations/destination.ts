import { isIP } from 'node:net';
import { ToolError } from '@nexus/plugin-sdk';
import { isPublic } from './is-public.ts';

/** What the config lets be reached although it is not of the open internet. */
export type IsAllowed = (host: Destination) => boolean;

export interface Destination {
  /** Lower case, without brackets. */
  readonly hostname: string;
  readonly port: number;
}

/** @param allowHosts `host`, `host:port` or `*.domain`, as `sources.allowHosts` has them */
export function allowing(allowHosts: readonly string[]): IsAllowed {
  const allowed = allowHosts.map((each) => each.toLowerCase());
  return ({ hostname, port }) =>
    allowed.some((each) =>
      each.startsWith('*.')
        ? hostname.endsWith(each.slice(1)) && hostname.length >= each.length
        : each === hostname || each === `${hostname}:${port}` || each === `[${hostname}]:${port}`,
    );
}

/**
 * Reads where a URL leads, as far as it tells by itself; what a name stands for is looked at when it is dialled.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS for what is no URL of http or https, or carries a password;
 * NEXUS_DENIED for an address that is not of the open internet
 */
export function destinationOf(url: URL, isAllowed: IsAllowed): Destination {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw invalid(url, `only http and https are fetched, not ${url.protocol.slice(0, -1)}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid(url, 'a name and password in a URL are not sent; leave them out');
  }
  const hostname = url.hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const destination = { hostname, port };
  if (isIP(hostname) !== 0 && !isPublic(hostname) && !isAllowed(destination)) throw notPublic(hostname);
  return destination;
}

/** @throws {ToolError} NEXUS_INVALID_ARGUMENTS */
export function parseUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base?.href) : undefined;
  if (!url)
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', `${JSON.stringify(text.slice(0, 200))} is no URL.`);
  return url;
}

export function notPublic(name: string, address?: string): ToolError {
  const which = address === undefined ? name : `${name} (${address})`;
  return new ToolError(
    'NEXUS_DENIED',
    `${which} is not on the open internet, and is not fetched. sources.allowHosts in the config allows a host by its name.`,
  );
}

function invalid(url: URL, why: string): ToolError {
  return new ToolError(
    'NEXUS_INVALID_ARGUMENTS',
    `${url.protocol}//${url.hostname} can’t be fetched: ${why}.`,
  );
}
