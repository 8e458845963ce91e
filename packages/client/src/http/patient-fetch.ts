import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { EnvHttpProxyAgent, fetch, type RequestInit as UndiciInit } from 'undici';

/**
 * Without the five minutes that Node's own fetch lets pass between two pieces of an answer: a session's
 * stream may be silent for hours, and how long a call may take is its deadline's matter. Through the proxy
 * that the environment names, which Node's own does not heed either.
 */
const agent = new EnvHttpProxyAgent({ headersTimeout: 0, bodyTimeout: 0 });

// Both are the fetch of the standard, typed apart: Node's types describe the undici inside Node.
export const patientFetch: FetchLike = (url, init) =>
  fetch(url, { ...init, dispatcher: agent } as UndiciInit) as unknown as Promise<Response>;
