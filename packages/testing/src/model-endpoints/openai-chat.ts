import { openaiError } from './openai-error.ts';
import { type Body, badName, type FullReply, isBody, pieces, records, type Wire } from './reply.ts';

const STOPS = { refusal: 'content_filter', length: 'length', tools: 'tool_calls', end: 'stop' } as const;

/** OpenAI's chat completions, which many servers copy. */
export const openaiChat: Wire = {
  name: 'openai-chat',
  keyHeader: 'authorization',
  matches: (path) => path.endsWith('/chat/completions'),
  streams: (_path, body) => body.stream === true,
  fault(body) {
    const names = records(body.tools).map((tool) => (isBody(tool.function) ? tool.function.name : undefined));
    return badName(names) ?? historyFault(records(body.messages));
  },
  error: openaiError,
  whole: (reply, body) => ({
    ...head(body, 'chat.completion'),
    choices: [
      {
        index: 0,
        finish_reason: STOPS[reply.stop],
        message: { role: 'assistant', content: reply.text || null, ...callsOf(reply) },
      },
    ],
    usage: usageOf(reply),
  }),
  events(reply, body) {
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      ...head(body, 'chat.completion.chunk'),
      choices: [{ index: 0, delta, finish_reason }],
    });
    const calls = reply.tools.flatMap(({ id, name, input }, index) => [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...pieces(JSON.stringify(input)).map((part) =>
        chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
      ),
    ]);
    const events = [
      chunk({ role: 'assistant', content: '' }),
      ...pieces(reply.text).map((content) => chunk({ content })),
      ...calls,
      chunk({}, STOPS[reply.stop]),
      { ...head(body, 'chat.completion.chunk'), choices: [], usage: usageOf(reply) },
    ];
    return [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'];
  },
};

function head(body: Body, object: string) {
  return { id: 'chatcmpl-1', object, created: 1_700_000_000, model: body.model };
}

function callsOf({ tools }: FullReply) {
  if (tools.length === 0) return {};
  const calls = tools.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  return { tool_calls: calls };
}

function usageOf({ usage }: FullReply) {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
  };
}

/** "An assistant message with 'tool_calls' must be followed by tool messages responding to each". */
function historyFault(messages: readonly Body[]): string | undefined {
  if (messages.length === 0) return "[] is too short - 'messages'";
  let wanted = new Set<unknown>();
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!wanted.delete(message.tool_call_id))
        return `messages with role 'tool' must be a response to a preceding message with 'tool_calls': messages.[${index}]`;
      continue;
    }
    if (wanted.size > 0) break;
    wanted = new Set(records(message.tool_calls).map(({ id }) => id));
  }
  if (wanted.size === 0) return undefined;
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...wanted].join(', ')}`;
}
