import { type Channel, isRecord, type JsonRpcMessage, ProtocolError } from '@nexus/core';
import { version } from '../version.ts';

export interface ProgressUpdate {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

interface RequestOptions {
  readonly onProgress?: ((update: ProgressUpdate) => void) | undefined;
  /** Its abort cancels the request on the server, and rejects. */
  readonly signal?: AbortSignal | undefined;
}

/** The command line's own MCP client: results come as they were sent, no key dropped by a schema. */
export interface RpcClient {
  /**
   * @throws {ProtocolError} what the server answered as an error
   * @throws {ConnectionLost}
   */
  request(
    method: string,
    params?: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** The server went away before it answered. */
export class ConnectionLost extends Error {
  constructor() {
    super('the server closed the connection before it answered');
    this.name = 'ConnectionLost';
  }
}

const PROTOCOL_VERSION = '2025-11-25';

/** Connects to the server at the other end of the channel and initializes the session. */
export async function connectRpc(channel: Channel): Promise<RpcClient> {
  let nextId = 1;
  let isClosed = false;
  const waiting = new Map<number, { message(answer: JsonRpcMessage): void; gone(): void }>();
  const progress = new Map<number, (update: ProgressUpdate) => void>();
  channel.start({
    message(message) {
      if (message.method === 'notifications/progress') return onProgress(message);
      if (message.method !== undefined && message.id !== undefined) return refuse(message);
      waiting.get(Number(message.id))?.message(message);
    },
    closed() {
      isClosed = true;
      for (const { gone } of waiting.values()) gone();
    },
  });

  function onProgress({ params }: JsonRpcMessage): void {
    progress.get(Number(params?.progressToken))?.(params as unknown as ProgressUpdate);
  }

  /** The command line offers no sampling, roots or elicitation, and says so. */
  function refuse({ id, method }: JsonRpcMessage): void {
    const error = { code: -32601, message: `the nexus command does not offer ${method}` };
    void channel.send({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error });
  }

  function request(
    method: string,
    params: Record<string, unknown> = {},
    { onProgress, signal }: RequestOptions = {},
  ): Promise<Record<string, unknown>> {
    if (isClosed) return Promise.reject(new ConnectionLost());
    const id = nextId++;
    const meta = onProgress ? { _meta: { progressToken: id } } : {};
    if (onProgress) progress.set(id, onProgress);
    return new Promise<Record<string, unknown>>((resolve, reject) => {
      const cancel = () => {
        const params = { requestId: id, reason: 'the user interrupted' };
        void channel.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
        reject(new Error('interrupted'));
      };
      signal?.addEventListener('abort', cancel, { once: true });
      waiting.set(id, {
        gone: () => reject(new ConnectionLost()),
        message({ result, error }) {
          signal?.removeEventListener('abort', cancel);
          if (error) {
            reject(
              new ProtocolError(error.code, error.message, isRecord(error.data) ? error.data : undefined),
            );
          } else resolve(result ?? {});
        },
      });
      void channel.send({ jsonrpc: '2.0', id, method, params: { ...params, ...meta } });
    }).finally(() => {
      waiting.delete(id);
      progress.delete(id);
    });
  }

  await request('initialize', {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'nexus-cli', version },
  });
  await channel.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return { request, close: () => channel.close() };
}
