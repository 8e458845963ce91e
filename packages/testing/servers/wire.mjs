import { StringDecoder } from 'node:string_decoder';

/**
 * JSON-RPC over lines, by hand: nothing between a test and the bytes.
 * `onRequest` answers a result or throws `{ code, message, data? }`.
 */
export function openWire({ onRequest, onNotification, onEnd }) {
  const waiting = new Map();
  const cancels = new Map();
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let lastId = 0;

  const sendRaw = (text) => process.stdout.write(text);
  const send = (message) => sendRaw(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  async function answer({ id, method, params = {} }) {
    const cancel = new AbortController();
    cancels.set(id, cancel);
    try {
      const result = await onRequest(method, params, { signal: cancel.signal });
      // MCP 2025-11-25, Cancellation: a cancelled request is not answered.
      if (!cancel.signal.aborted) send({ id, result });
    } catch (error) {
      if (cancel.signal.aborted) return;
      const { code = -32603, message, data } = error;
      send({ id, error: { code, message, ...(data === undefined ? {} : { data }) } });
    } finally {
      cancels.delete(id);
    }
  }

  function settle({ id, result, error }) {
    waiting.get(id)?.(error ? { error } : { result });
    waiting.delete(id);
  }

  function take(message) {
    if (message.method === undefined) return settle(message);
    if (message.id !== undefined) return void answer(message);
    if (message.method === 'notifications/cancelled') cancels.get(message.params?.requestId)?.abort();
    onNotification(message.method, message.params ?? {});
  }

  process.stdin.on('data', (chunk) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') take(JSON.parse(line));
  });
  process.stdin.on('end', onEnd);

  return {
    sendRaw,
    notify: (method, params) => send({ method, ...(params ? { params } : {}) }),
    /** A request to the client; resolves to `{ result }` or `{ error }`. */
    ask(method, params) {
      lastId += 1;
      const id = `fake-${lastId}`;
      send({ id, method, ...(params ? { params } : {}) });
      return new Promise((resolve) => waiting.set(id, resolve));
    },
  };
}
