import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Wire } from './known-apis.ts';

export interface ApiAddress {
  readonly provider: string;
  readonly wire: Wire;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
}

/** A model of an API by its name. @param ask what it is asked through, where that is not the global `fetch` */
type Maker = (name: string, ask: typeof fetch | undefined) => LanguageModelV3;

const loaded = new WeakMap<ApiAddress, Promise<Maker>>();

/** The models of one API; its client library is loaded by the first call that needs it. */
export function loadModels(address: ApiAddress): Promise<Maker> {
  const maker = loaded.get(address) ?? load(address);
  loaded.set(address, maker);
  return maker;
}

async function load({ provider, wire, baseUrl, apiKey }: ApiAddress): Promise<Maker> {
  // Never undefined: the libraries would look into the environment by themselves.
  const access = { baseURL: baseUrl, apiKey: apiKey ?? '' };
  const by = (ask: typeof fetch | undefined) => (ask ? { fetch: ask } : {});
  switch (wire) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return (name, ask) => createAnthropic({ ...access, ...by(ask) })(name);
    }
    case 'openai-responses': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return (name, ask) => createOpenAI({ ...access, ...by(ask) }).responses(name);
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return (name, ask) => createGoogleGenerativeAI({ ...access, ...by(ask) })(name);
    }
    case 'openai-chat': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const { apiKey: key, ...place } = access;
      return (name, ask) =>
        createOpenAICompatible({
          ...place,
          ...by(ask),
          ...(key === '' ? {} : { apiKey: key }),
          name: provider,
          includeUsage: true,
          supportsStructuredOutputs: true,
        })(name);
    }
  }
}
