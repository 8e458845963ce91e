import type { RawAnswer, SourceAnswer, SourceRequest } from '../source.ts';
import { askApi, readApi } from './ask-api.ts';
import type { ApiAddress } from './load-model.ts';

/** What a server answers that has no such path, or not for this. */
const NO_SUCH_WAY = new Set([404, 405, 501]);
/** In every answer of the chat interface, streamed or not, and in none of the other. */
const CHAT_OBJECT = /"object"\s*:\s*"chat\.completion/;

/**
 * An address that stands in OpenAI's place, and may have only the chat interface that most servers copy: where there
 * is no other, it is asked by that one, from then on.
 */
export function withChatBeside(address: ApiAddress): {
  ask(request: SourceRequest): Promise<SourceAnswer>;
  read(raw: RawAnswer, request: SourceRequest): Promise<SourceAnswer>;
} {
  const chat: ApiAddress = { ...address, wire: 'openai-chat' };
  let hasChatAlone = false;
  return {
    async ask(request) {
      if (hasChatAlone) return askApi(chat, request);
      try {
        return await askApi(address, request);
      } catch (failure) {
        if (!NO_SUCH_WAY.has(httpStatusOf(failure))) throw failure;
        const answer = await askApi(chat, request).catch((error: unknown) => {
          // Neither has it: a model of that name, say, is missing at both.
          throw NO_SUCH_WAY.has(httpStatusOf(error)) ? failure : error;
        });
        hasChatAlone = true;
        return answer;
      }
    },
    read: (raw, request) => readApi(CHAT_OBJECT.test(raw.body) ? chat : address, request, raw),
  };
}

function httpStatusOf(failure: unknown): number {
  const { cause } = Object(failure) as { readonly cause?: unknown };
  return Number((Object(cause) as { readonly statusCode?: unknown }).statusCode);
}
