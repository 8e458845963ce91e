import { createHash } from 'node:crypto';
import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';
import type { SourceRequest } from '../source.ts';
import type { ApiAddress } from './load-model.ts';

/**
 * What only some APIs take, by the names that each client library reads. Nothing is kept at the provider, and schemas
 * may have what a strict dialect lacks. What merely speaks the chat interface may refuse every field that it does not
 * know, and the library sends what it does not know as it is: so OpenAI's own fields go to OpenAI alone, and by the
 * names that they have on the wire.
 */
export function providerOptions(
  { wire, provider, baseUrl }: Pick<ApiAddress, 'wire' | 'provider' | 'baseUrl'>,
  request: Pick<SourceRequest, 'system' | 'tools'>,
): NonNullable<LanguageModelV3CallOptions['providerOptions']> {
  if (wire === 'openai-responses')
    return { openai: { store: false, strictJsonSchema: false, promptCacheKey: prefixKey(request) } };
  if (wire !== 'openai-chat') return {};
  const own = isOpenAi(baseUrl) ? { store: false, prompt_cache_key: prefixKey(request) } : {};
  return { openaiCompatible: { strictJsonSchema: false }, [provider]: own };
}

function isOpenAi(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && /(?:^|\.)openai\.com$/.test(new URL(baseUrl).hostname);
}

/** Requests that begin alike have the same, so that OpenAI sends them to where that beginning is known. */
function prefixKey({ system = '', tools }: Pick<SourceRequest, 'system' | 'tools'>): string {
  const beginning = JSON.stringify([system, tools.map(({ name }) => name)]);
  return createHash('sha256').update(beginning).digest('hex').slice(0, 32);
}
