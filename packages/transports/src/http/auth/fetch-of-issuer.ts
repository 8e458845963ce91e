import { boundsFault, bytesUpTo } from '@nexus/primitives';

/** An issuer's metadata and keys have some kilobytes. */
const MAX_BYTES = 1024 * 1024;

/**
 * What an issuer answers, read whole within bounds, so that whoever parses it is not held.
 * @throws {Error} it is larger, or holds more, than metadata and keys do
 */
export async function fetchOfIssuer(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  const bytes = await bytesUpTo(response.body, MAX_BYTES);
  if (bytes === undefined) throw new Error(`what ${url} answers is longer than ${MAX_BYTES} bytes`);
  const text = bytes.toString('utf8');
  const fault = boundsFault(text);
  if (fault !== undefined) throw new Error(`what ${url} answers ${fault}`);
  return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } });
}
