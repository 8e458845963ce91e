import { PassThrough, Writable } from 'node:stream';
import type { HttpServerProcess } from './http-server.ts';

type Line = { readonly method?: string };

/**
 * A client of lines over HTTP: each line is a POST of its own, sent when the server has begun to answer the
 * one before, and what comes on any stream is one sequence of lines.
 */
export function httpLines({ url, token }: Pick<HttpServerProcess, 'url' | 'token'>) {
  const readable = new PassThrough();
  const ending = new AbortController();
  let sessionId: string | undefined;

  async function send(method: string, body?: string): Promise<Response> {
    const response = await fetch(url, {
      method,
      signal: ending.signal,
      ...(body === undefined ? {} : { body }),
      headers: {
        'content-type': 'application/json',
        accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(sessionId === undefined
          ? {}
          : { 'mcp-session-id': sessionId, 'mcp-protocol-version': '2025-11-25' }),
      },
    });
    sessionId ??= response.headers.get('mcp-session-id') ?? undefined;
    return response;
  }

  async function read(response: Response): Promise<void> {
    if (response.headers.get('content-type') === 'application/json') {
      readable.write(`${await response.text()}\n`);
      return;
    }
    let rest = '';
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data: {')) readable.write(`${line.slice(6)}\n`);
    }
  }

  const inBackground = (response: Response) => void read(response).catch(() => {});

  async function post(line: string): Promise<void> {
    const response = await send('POST', line);
    inBackground(response);
    const { method } = JSON.parse(line) as Line;
    if (method === 'notifications/initialized') inBackground(await send('GET'));
  }

  let parts: string[] = [];
  const writable = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const text = chunk.toString('utf8');
      if (text !== '\n') {
        parts.push(text);
        return done();
      }
      const line = parts.join('');
      parts = [];
      post(line).then(() => done(), done);
    },
    final(done) {
      send('DELETE').then(
        () => done(),
        () => done(),
      );
    },
  });
  return {
    readable,
    writable,
    close() {
      ending.abort();
      readable.end();
    },
  };
}
