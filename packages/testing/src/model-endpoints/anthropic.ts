import { type Body, badName, type FullReply, isBody, pieces, records, type Wire } from './reply.ts';

const STOPS = { refusal: 'refusal', length: 'max_tokens', tools: 'tool_use', end: 'end_turn' } as const;
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

/** Anthropic's Messages API, with the rules that it holds a history to. */
export const anthropic: Wire = {
  name: 'anthropic',
  keyHeader: 'x-api-key',
  matches: (path) => path.endsWith('/v1/messages'),
  streams: (_path, body) => body.stream === true,
  fault(body) {
    if (typeof body.model !== 'string') return 'model: Field required';
    if (typeof body.max_tokens !== 'number' || body.max_tokens < 1)
      return 'max_tokens: Input should be greater than or equal to 1';
    const tools = records(body.tools);
    for (const [index, { input_schema: schema }] of tools.entries())
      if (!isBody(schema) || schema.type !== 'object')
        return `tools.${index}.custom.input_schema.type: Input should be 'object'`;
    // Instructions may come between the turns, too.
    const turns = records(body.messages).filter(({ role }) => role !== 'system');
    return badName(tools.map(({ name }) => name)) ?? historyFault(turns);
  },
  error: (status, message) => ({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? 'api_error', message },
  }),
  whole: (reply, body) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: [
      ...(reply.text === '' ? [] : [{ type: 'text', text: reply.text }]),
      ...reply.tools.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
    ],
    stop_reason: STOPS[reply.stop],
    stop_sequence: null,
    usage: usageOf(reply),
  }),
  events(reply, body) {
    const begin = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
    };
    const events: object[] = [
      { type: 'message_start', message: { ...begin, usage: { ...usageOf(reply), output_tokens: 1 } } },
    ];
    let index = 0;
    const block = (start: object, deltas: readonly object[]) => {
      events.push({ type: 'content_block_start', index, content_block: start });
      for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta });
      events.push({ type: 'content_block_stop', index });
      index += 1;
    };
    if (reply.text !== '')
      block(
        { type: 'text', text: '' },
        pieces(reply.text).map((text) => ({ type: 'text_delta', text })),
      );
    for (const { id, name, input } of reply.tools)
      block(
        { type: 'tool_use', id, name, input: {} },
        pieces(JSON.stringify(input)).map((part) => ({ type: 'input_json_delta', partial_json: part })),
      );
    events.push({
      type: 'message_delta',
      delta: { stop_reason: STOPS[reply.stop], stop_sequence: null },
      usage: { output_tokens: reply.usage.output },
    });
    events.push({ type: 'message_stop' });
    return events.map(
      (event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`,
    );
  },
};

function usageOf({ usage }: FullReply) {
  return {
    input_tokens: usage.input - usage.cached - usage.written,
    cache_read_input_tokens: usage.cached,
    cache_creation_input_tokens: usage.written,
    output_tokens: usage.output,
  };
}

/** "tool_use ids were found without tool_result blocks immediately after", and its opposite. */
function historyFault(messages: readonly Body[]): string | undefined {
  if (messages.length === 0) return 'messages: at least one message is required';
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  if (messages.at(-1)?.role !== 'user') return 'the conversation must end with a user message';
  const seen = new Set<unknown>();
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message);
    if (blocks.length === 0) return `messages.${index}: content must be non-empty`;
    if (blocks.some(({ type, text }) => type === 'text' && text === ''))
      return `messages.${index}: text content blocks must be non-empty`;
    const before = messages[index - 1];
    const wanted = new Set(before?.role === 'assistant' ? idsOf(before, 'tool_use', 'id') : []);
    for (const id of idsOf(message, 'tool_result', 'tool_use_id'))
      if (!wanted.delete(id))
        return `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(id)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    if (wanted.size > 0)
      return `messages.${index - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${[...wanted].join(', ')}.`;
    const firstOther = blocks.findIndex(({ type }) => type !== 'tool_result');
    if (firstOther >= 0 && blocks.slice(firstOther).some(({ type }) => type === 'tool_result'))
      return `messages.${index}: \`tool_result\` blocks must come first`;
    for (const id of idsOf(message, 'tool_use', 'id')) {
      if (seen.has(id)) return `messages.${index}: \`tool_use\` ids must be unique`;
      seen.add(id);
    }
  }
  return undefined;
}

function blocksOf({ content }: Body): Body[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : records(content);
}

function idsOf(message: Body, type: string, key: string): unknown[] {
  return blocksOf(message)
    .filter((block) => block.type === type)
    .map((block) => block[key]);
}
