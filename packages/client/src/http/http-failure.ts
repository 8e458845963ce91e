import { cutEndCounted } from '@nexus/primitives';
import { AuthorizationError } from '../auth/authorization-error.ts';

const MAX_BODY_CHARACTERS = 300;

/** Why a request over HTTP failed; completes `Server "x" …`. */
export function httpFailure(error: unknown, url: URL): string {
  if (error instanceof AuthorizationError) return error.message;
  const code = networkCode(error);
  if (code !== undefined) return `can't be reached at ${url.origin} (${code})`;
  const status = httpStatus(error);
  const message = messageOf(error);
  const text = cutEndCounted(message, MAX_BODY_CHARACTERS);
  return status === undefined ? `failed: ${text}` : `answered with HTTP ${status}: ${text}`;
}

/** fetch says only that it failed, and keeps the reason as the cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message;
}

/** Of the SDK transports' errors. */
export function httpStatus(error: unknown): number | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined;
  return typeof error.code === 'number' && error.code >= 100 ? error.code : undefined;
}

/** What fetch keeps as the cause: `ECONNREFUSED`, `ENOTFOUND`, `UND_ERR_SOCKET`. */
export function networkCode(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error && 'code' in cause)) return undefined;
  return typeof cause.code === 'string' ? cause.code : undefined;
}
