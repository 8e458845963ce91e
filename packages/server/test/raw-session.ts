import type { JsonRpcMessage } from '@nexus/core';
import { vi } from 'vitest';
import { startSession } from './start-session.ts';

/** A busy machine takes a while to open a store. */
const ANSWER_TIMEOUT_MS = 10_000;

type Started = ReturnType<typeof startSession>;

/** Sends raw messages to a session and gathers what comes back; its client is initialized. */
export async function rawSession(
  started: Started | Parameters<typeof startSession>[0],
  capabilities: object = {},
  protocolVersion = '2025-11-25',
) {
  const session = isStarted(started) ? started : startSession(started);
  const received: JsonRpcMessage[] = [];
  /** How this client answers requests of the server, by method. */
  const answers: Record<string, (message: JsonRpcMessage) => object> = {};
  const send = (message: object) => session.clientEnd.send({ jsonrpc: '2.0', ...message } as JsonRpcMessage);
  session.clientEnd.start({
    message(message) {
      received.push(message);
      const reply = message.id !== undefined && message.method && answers[message.method]?.(message);
      if (reply) void send({ id: message.id, ...reply });
    },
    closed() {},
  });
  const answer = (id: number) =>
    vi.waitFor(
      () => {
        const found = received.find((message) => message.id === id && message.method === undefined);
        if (!found) throw new Error(`no answer to ${id} yet`);
        return found;
      },
      { timeout: ANSWER_TIMEOUT_MS },
    );
  let lastId = 100;
  /** Sends a request and waits for its answer. */
  const ask = async (method: string, params?: object) => {
    lastId += 1;
    const id = lastId;
    await send({ id, method, ...(params ? { params } : {}) });
    return answer(id);
  };
  const clientInfo = { name: 'raw', version: '1' };
  await send({ id: 0, method: 'initialize', params: { protocolVersion, capabilities, clientInfo } });
  await answer(0);
  await send({ method: 'notifications/initialized' });
  const heard = (method: string) =>
    received.filter((message) => message.method === method).map(({ params }) => params);
  return { ...session, send, answer, ask, received, heard, answers };
}

function isStarted(given: unknown): given is Started {
  return typeof given === 'object' && given !== null && 'clientEnd' in given;
}
