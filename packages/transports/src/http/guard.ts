import { isIP } from 'node:net';

export interface GuardOptions {
  /** The address that the server listens on. */
  readonly host: string;
  /** Names beside the address itself, such as `nexus.example.com`; with a port, only that port. */
  readonly allowedHosts: readonly string[];
  /** Web pages that may call, such as `https://tools.example.com`. */
  readonly allowedOrigins: readonly string[];
}

/** Judges where a request says that it goes to and comes from. */
export interface Guard {
  /** @returns what is wrong */
  fault(headers: {
    readonly host?: string | undefined;
    readonly origin?: string | undefined;
  }): string | undefined;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const EVERY_ADDRESS = ['0.0.0.0', '::'];

/**
 * Refuses what a web page of an attacker could send through a browser on this machine: a name of the
 * attacker's that was made to point here (DNS rebinding) shows in Host, and the page itself in Origin.
 */
export function createGuard({ host, allowedHosts, allowedOrigins }: GuardOptions): Guard {
  const takesAddresses = EVERY_ADDRESS.includes(host);
  const own = takesAddresses ? [] : [bracketed(host)];
  const hosts = new Set([...LOOPBACK, ...own, ...allowedHosts].map((name) => name.toLowerCase()));
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));

  function isHost(value: string): boolean {
    const authority = value.toLowerCase();
    const name = authority.replace(/:\d+$/, '');
    // An address can't be rebound, and which ones this machine has may change while it runs.
    return hosts.has(authority) || hosts.has(name) || (takesAddresses && isIP(unbracketed(name)) !== 0);
  }

  /** Pages are not let in by their address alone: anybody's page may have one. */
  function isAllowedPage(origin: string): boolean {
    if (origins.has(origin)) return true;
    const [, authority = ''] = /^https?:\/\/([^/]+)$/.exec(origin) ?? [];
    return hosts.has(authority) || hosts.has(authority.replace(/:\d+$/, ''));
  }

  return {
    fault({ host: sent, origin }) {
      if (!sent || !isHost(sent)) {
        return `Host ${JSON.stringify(sent ?? '')} is not served here; http.allowedHosts in the config adds names`;
      }
      if (origin === undefined || isAllowedPage(origin.toLowerCase())) return undefined;
      return `Origin ${JSON.stringify(origin)} may not call; http.allowedOrigins in the config adds origins`;
    },
  };
}

/** Whether only processes of this machine can connect to the address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(bracketed(host.toLowerCase())) || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** An IPv6 address as it stands in a URL. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

function unbracketed(name: string): string {
  return name.replace(/^\[(.*)\]$/, '$1');
}
