import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A model's API on loopback in Anthropic's wire format that uses a tool once, then answers; it keeps nothing. */
export interface ScriptedAnthropic extends AsyncDisposable {
  readonly url: string;
  /** The body of the last request, as it arrived. */
  readonly lastBody: string;
}

export async function scriptedAnthropic(tool: string): Promise<ScriptedAnthropic> {
  let answered = 0;
  let lastBody = '';
  const use = events(
    { type: 'tool_use', id: 'toolu_0', name: tool, input: {} },
    { type: 'input_json_delta', partial_json: '{"key":"value"}' },
    'tool_use',
  );
  const answer = events(
    { type: 'text', text: '' },
    { type: 'text_delta', text: 'That is the answer, in a sentence of its own.' },
    'end_turn',
  );
  const server = createServer(async (request, response) => {
    lastBody = await text(request);
    answered += 1;
    // A history that ends with the user's words wants the tool; one that ends with its result, or without tools,
    // the answer.
    const { messages, tools } = JSON.parse(lastBody) as {
      messages: { content: { type: string }[] }[];
      tools?: unknown[];
    };
    const isResult = messages.at(-1)?.content.some(({ type }) => type === 'tool_result');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(isResult || !tools ? answer : use.replace('toolu_0', `toolu_${answered}`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get lastBody() {
      return lastBody;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function events(block: object, delta: object, stopReason: string): string {
  const usage = { input_tokens: 100, output_tokens: 20 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted', content: [], usage };
  return [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: stopReason }, usage },
    { type: 'message_stop' },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}
