import { type Anchor, rowsIn, rowText } from './anchor.ts';

/** A process that ends waits for no longer. */
const PATIENCE_MS = 5_000;
/** Some sixty thousand checkpoints. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * A server that takes a row by POST, as one line of JSON, and gives all of them by GET, a line each. It should take
 * nothing back.
 * @param token sent as a bearer token
 */
export function urlAnchor(url: string, token?: string): Anchor {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const ask = async (request: RequestInit) => {
    // To another place it would not be the one that the user named.
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(url, { ...request, redirect: 'error', signal }).catch((error: unknown) => {
      const { cause, message } = error as Error;
      throw new Error(cause instanceof Error ? cause.message : message, { cause: error });
    });
    if (response.ok) return response;
    await response.body?.cancel();
    throw new Error(`it answered ${response.status}`);
  };
  return {
    name: withoutSecrets(url),
    async add(row) {
      const body = `${rowText(row)}\n`;
      const answer = await ask({
        method: 'POST',
        body,
        headers: { ...headers, 'content-type': 'application/json' },
      });
      await answer.body?.cancel();
    },
    async read() {
      const answer = await ask({ headers: { ...headers, accept: 'application/x-ndjson' } });
      return rowsIn(await textOf(answer));
    },
  };
}

async function textOf(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop ends the connection.
    if (bytes > MAX_BYTES)
      throw new Error(
        `it answered more than ${MAX_BYTES} bytes, which is more than rows of checkpoints are; see what is at that address`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
