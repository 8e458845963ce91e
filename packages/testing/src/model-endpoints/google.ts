import { type Body, badName, type FullReply, isBody, pieces, records, type Wire } from './reply.ts';

const STOPS = { refusal: 'SAFETY', length: 'MAX_TOKENS', tools: 'STOP', end: 'STOP' } as const;

/** Google's generateContent. */
export const google: Wire = {
  name: 'google',
  keyHeader: 'x-goog-api-key',
  matches: (path) => /:(streamG|g)enerateContent$/.test(path),
  streams: (path) => path.endsWith(':streamGenerateContent'),
  fault(body) {
    const names = records(body.tools)
      .flatMap((tool) => records(tool.functionDeclarations))
      .map(({ name }) => name);
    return badName(names) ?? historyFault(records(body.contents));
  },
  error: (status, message) => ({
    error: { code: status, message, status: status === 429 ? 'RESOURCE_EXHAUSTED' : 'UNAVAILABLE' },
  }),
  whole: (reply) => chunk(reply, partsOf(reply), true),
  events(reply) {
    const texts = pieces(reply.text).map((text) => chunk(reply, [{ text }], false));
    const calls = reply.tools.map(({ name, input }) =>
      chunk(reply, [{ functionCall: { name, args: input } }], false),
    );
    return [...texts, ...calls, chunk(reply, [{ text: '' }], true)].map(
      (event) => `data: ${JSON.stringify(event)}\r\n\r\n`,
    );
  },
};

function partsOf({ text, tools }: FullReply): object[] {
  const calls = tools.map(({ name, input }) => ({ functionCall: { name, args: input } }));
  return [...(text === '' ? [] : [{ text }]), ...calls];
}

function chunk({ usage, stop }: FullReply, parts: readonly object[], isLast: boolean): object {
  return {
    candidates: [
      { index: 0, content: { role: 'model', parts }, ...(isLast ? { finishReason: STOPS[stop] } : {}) },
    ],
    usageMetadata: {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output,
      cachedContentTokenCount: usage.cached,
      totalTokenCount: usage.input + usage.output,
    },
    modelVersion: 'scripted',
  };
}

/** As many function responses as calls, right after them. */
function historyFault(contents: readonly Body[]): string | undefined {
  if (contents.length === 0) return 'contents are required';
  const count = (content: Body | undefined, key: string) =>
    records(content?.parts).filter((part) => isBody(part[key])).length;
  for (const [index, content] of contents.entries()) {
    const responses = count(content, 'functionResponse');
    const calls = count(contents[index - 1], 'functionCall');
    if (responses !== calls)
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
  }
  return count(contents.at(-1), 'functionCall') > 0 ? 'the function call turn needs a response' : undefined;
}
