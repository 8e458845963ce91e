import type { Refusal } from '../respond.ts';
import type { Verdict } from './authenticate.ts';

const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

/** Where a client gets tokens for this server (RFC 9728, section 2). */
export function resourceMetadata(
  base: string,
  issuer: string | undefined,
): Readonly<Record<string, unknown>> {
  return {
    resource: `${base}/mcp`,
    resource_name: 'Nexus',
    bearer_methods_supported: ['header'],
    ...(issuer === undefined ? {} : { authorization_servers: [issuer] }),
  };
}

/** The refusal of a caller whom nobody vouches for (RFC 6750, section 3; RFC 9728, section 5.1). */
export function challenge({ fault, reason }: Extract<Verdict, { fault: unknown }>, base: string): Refusal {
  if (fault === 'unavailable') {
    const message = `the token can't be checked: ${reason}`;
    return { status: 503, message, headers: { 'retry-after': '5' } };
  }
  const error = fault === 'missing' ? '' : `error="invalid_token", error_description="${quotable(reason)}", `;
  return {
    status: 401,
    message: reason,
    headers: { 'www-authenticate': `Bearer ${error}resource_metadata="${base}${METADATA_PATH}"` },
  };
}

/** Visible ASCII without quote and backslash (RFC 6750, section 3). */
function quotable(text: string): string {
  return text.replaceAll('’', "'").replace(/[^\x20-\x7e]|["\\]/g, '?');
}
