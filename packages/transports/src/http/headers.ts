import type { IncomingMessage } from 'node:http';
import { PROTOCOL_VERSIONS } from '@nexus/core/json-rpc';
import type { Refusal } from './respond.ts';

type Headers = IncomingMessage['headers'];

/** What a POST must say of itself (MCP 2025-11-25, Streamable HTTP, Sending Messages to the Server). */
export function postFault(headers: Headers): Refusal | undefined {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    return { status: 415, message: `Content-Type must be application/json, received ${type || 'none'}` };
  }
  const missing = ['application/json', 'text/event-stream'].filter((type) => !accepts(headers.accept, type));
  if (missing.length > 0) return notAcceptable(missing, headers.accept);
  return versionFault(headers);
}

export function getFault(headers: Headers): Refusal | undefined {
  if (!accepts(headers.accept, 'text/event-stream')) {
    return notAcceptable(['text/event-stream'], headers.accept);
  }
  return versionFault(headers);
}

/** A client that sends none speaks 2025-03-26, which had no such header. */
export function versionFault(headers: Headers): Refusal | undefined {
  const version = single(headers['mcp-protocol-version']);
  if (version === undefined || PROTOCOL_VERSIONS.some((known) => known === version)) return undefined;
  const message = `Mcp-Protocol-Version ${version} is not supported; supported: ${PROTOCOL_VERSIONS.join(', ')}`;
  return { status: 400, message };
}

/** A header that is sent once; repeated ones arrive joined or as a list. */
export function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}

function notAcceptable(missing: readonly string[], accept: string | undefined): Refusal {
  return { status: 406, message: `Accept must hold ${missing.join(' and ')}, received ${accept ?? 'none'}` };
}

/** By RFC 9110, section 12.5.1, save that MCP demands the header. */
function accepts(accept: string | undefined, type: string): boolean {
  if (accept === undefined) return false;
  const [group] = type.split('/');
  return accept.split(',').some((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    return !isRefused && [type, `${group}/*`, '*/*'].includes(name);
  });
}
