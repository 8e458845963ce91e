import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Wire } from './known-apis.ts';

export interface ApiAddress {
  readonly provider: string;
  readonly wire: Wire;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
}

const loaded = new WeakMap<ApiAddress, Map<string, Promise<LanguageModelV3>>>();

/** One model of one API; its client library is loaded by the first call that needs it, and its client kept. */
export function loadModel(address: ApiAddress, name: string): Promise<LanguageModelV3> {
  const models = loaded.get(address) ?? new Map<string, Promise<LanguageModelV3>>();
  loaded.set(address, models);
  const model = models.get(name) ?? load(address, name);
  models.set(name, model);
  return model;
}

async function load({ provider, wire, baseUrl, apiKey }: ApiAddress, name: string): Promise<LanguageModelV3> {
  // Never undefined: the libraries would look into the environment by themselves.
  const access = { baseURL: baseUrl, apiKey: apiKey ?? '' };
  switch (wire) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic(access)(name);
    }
    case 'openai-responses': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI(access).responses(name);
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI(access)(name);
    }
    case 'openai-chat': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const { apiKey: key, ...place } = access;
      return createOpenAICompatible({
        ...place,
        ...(key === '' ? {} : { apiKey: key }),
        name: provider,
        includeUsage: true,
        supportsStructuredOutputs: true,
      })(name);
    }
  }
}
