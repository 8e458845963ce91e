import type { ServerResponse } from 'node:http';
import { JSON_RPC } from '@nexus/core/errors';

/** Why a request is turned away, as an HTTP status and words. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON-RPC request that this answers, where one could be read. */
  readonly id?: string | number | null;
  /** Default: -32600 for a fault of the client's, -32603 for one of ours. */
  readonly code?: number;
}

const FIRST_SERVER_ERROR = 500;

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** A refusal as a JSON-RPC error, so that a client's developer reads the reason in either place. */
export function refuse(response: ServerResponse, refusal: Refusal): void {
  if (response.headersSent || response.destroyed) return;
  const { status, message, headers, id = null } = refusal;
  const code =
    refusal.code ?? (status < FIRST_SERVER_ERROR ? JSON_RPC.invalidRequest : JSON_RPC.internalError);
  sendJson(response, status, { jsonrpc: '2.0', id, error: { code, message } }, headers);
}

/** Drops the client that takes nothing of an ended answer for so long, and what is queued for it. */
export function cutOffWhenStalled(response: ServerResponse, stallMs: number): void {
  if (!response.writableFinished) response.setTimeout(stallMs, () => response.destroy());
}
