import { openaiError } from './openai-error.ts';
import { type Body, badName, type FullReply, isBody, pieces, records, type Wire } from './reply.ts';

/** OpenAI's Responses API. */
export const openaiResponses: Wire = {
  name: 'openai-responses',
  keyHeader: 'authorization',
  matches: (path) => path.endsWith('/responses'),
  streams: (_path, body) => body.stream === true,
  fault: (body) =>
    badName(
      records(body.tools)
        // Those of the provider itself have a type in the place of a name.
        .filter(({ type }) => type === undefined || type === 'function')
        .map(({ name }) => name),
    ) ?? historyFault(records(body.input)),
  error: openaiError,
  whole: (reply, body) => response(reply, body, itemsOf(reply)),
  events(reply, body) {
    const items = itemsOf(reply);
    const events: object[] = [
      { type: 'response.created', response: response(reply, body, [], 'in_progress') },
    ];
    for (const [output_index, item] of items.entries()) {
      const begun = item.type === 'message' ? { ...item, content: [] } : { ...item, arguments: '' };
      events.push({
        type: 'response.output_item.added',
        output_index,
        item: { ...begun, status: 'in_progress' },
      });
      events.push(
        ...(item.type === 'message'
          ? textEvents(item.id, output_index, reply)
          : callEvents(item, output_index)),
      );
      events.push({ type: 'response.output_item.done', output_index, item });
    }
    const type =
      reply.stop === 'length' || reply.stop === 'refusal' ? 'response.incomplete' : 'response.completed';
    events.push({ type, response: response(reply, body, items) });
    return events.map(
      (event, sequence_number) =>
        `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
    );
  },
};

type Item =
  | { readonly type: 'message'; readonly id: string }
  | { readonly type: 'function_call'; readonly id: string; readonly arguments: string };

function textEvents(item_id: string, output_index: number, { text }: FullReply): object[] {
  const at = { item_id, output_index, content_index: 0 };
  return [
    { type: 'response.content_part.added', ...at, part: { type: 'output_text', text: '', annotations: [] } },
    ...pieces(text).map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
    { type: 'response.output_text.done', ...at, text },
    { type: 'response.content_part.done', ...at, part: { type: 'output_text', text, annotations: [] } },
  ];
}

function callEvents(item: Item & { type: 'function_call' }, output_index: number): object[] {
  const at = { item_id: item.id, output_index };
  return [
    ...pieces(item.arguments).map((delta) => ({
      type: 'response.function_call_arguments.delta',
      ...at,
      delta,
    })),
    { type: 'response.function_call_arguments.done', ...at, arguments: item.arguments },
  ];
}

function itemsOf({ text, tools }: FullReply): Item[] {
  const message = {
    type: 'message' as const,
    id: 'msg_1',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
  const calls = tools.map(({ id, name, namespace, input }) => ({
    type: 'function_call' as const,
    id: `fc_${id}`,
    call_id: id,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    arguments: JSON.stringify(input),
    status: 'completed',
  }));
  return [...(text === '' ? [] : [message]), ...calls];
}

function response(
  { usage, stop }: FullReply,
  { model }: Body,
  output: readonly object[],
  status?: string,
): object {
  const reason = stop === 'refusal' ? 'content_filter' : stop === 'length' ? 'max_output_tokens' : undefined;
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_700_000_000,
    status: status ?? (reason ? 'incomplete' : 'completed'),
    error: null,
    incomplete_details: reason ? { reason } : null,
    model,
    output,
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cached },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.output,
    },
  };
}

/** "No tool output found for function call", and its opposite. */
function historyFault(input: readonly Body[]): string | undefined {
  if (input.length === 0) return "Missing required parameter: 'input'.";
  const calls = new Set<unknown>();
  for (const item of input) {
    if (!isBody(item)) continue;
    if (item.type === 'function_call') calls.add(item.call_id);
    if (item.type === 'function_call_output' && !calls.delete(item.call_id))
      return `No tool call found for function call output with call_id ${String(item.call_id)}.`;
  }
  const [orphan] = calls;
  return orphan === undefined ? undefined : `No tool output found for function call ${String(orphan)}.`;
}
