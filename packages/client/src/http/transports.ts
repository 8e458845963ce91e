import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ConnectionSettings } from '../settings.ts';

/** A server that is back within some ten seconds is not lost. */
const RECONNECTION = {
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 5000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 5,
};

/** One of the SDK's transports, with what the two do differently. */
export interface HttpTransport {
  readonly transport: Transport;
  readonly hasSession: () => boolean;
  /** Whether an error that it tells of in passing means that nothing will come any more. */
  readonly isLast: (error: Error) => boolean;
  /** Tells the server that the session is over. */
  readonly endSession: () => Promise<void>;
}

/** Loaded when the first server of the kind is connected to: the SDK's types alone take a while. */
export async function httpTransport(
  settings: ConnectionSettings,
  url: URL,
  fetch: FetchLike,
): Promise<HttpTransport> {
  const options = { fetch, requestInit: { headers: { ...settings.headers } } };
  if (settings.transport === 'sse') {
    const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js');
    return {
      transport: new SSEClientTransport(url, options),
      hasSession: () => false,
      // The stream is the session: a new one would have to be initialized anew.
      isLast: (error) => error.name === 'SseError' || error.constructor.name === 'SseError',
      endSession: async () => {},
    };
  }
  const { StreamableHTTPClientTransport } = await import(
    '@modelcontextprotocol/sdk/client/streamableHttp.js'
  );
  const transport = new StreamableHTTPClientTransport(url, { ...options, reconnectionOptions: RECONNECTION });
  return {
    transport: transport as Transport,
    hasSession: () => transport.sessionId !== undefined,
    isLast: (error) => error.message.startsWith('Maximum reconnection attempts'),
    endSession: () => transport.terminateSession(),
  };
}
