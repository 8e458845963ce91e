import type { SecretUsed } from '@nexus/plugin-sdk';
import { describeModel } from '../catalogue/describe-model.ts';
import type { ModelsSettings, ProviderSettings } from '../settings.ts';
import type { ModelSource, RawAnswer, SourceRequest } from '../source.ts';
import { askApi, readApi } from './ask-api.ts';
import { withChatBeside } from './chat-beside.ts';
import { type Environment, findApi, settingsOf } from './find-api.ts';
import type { KnownApi } from './known-apis.ts';
import { listModels } from './list-models.ts';

const DEFAULT_CONCURRENCY = 8;

/** An API with a key; one whose name is not known speaks OpenAI's chat interface at its own address. */
export function apiSource(
  name: string,
  settings: ModelsSettings,
  {
    environment,
    secretUsed,
  }: { readonly environment: Environment; readonly secretUsed?: SecretUsed | undefined },
): ModelSource {
  const { own, known } = settingsOf(name, settings.providers);
  const { key, url, names, lack } = findApi(name, settings.providers, environment);
  const models = names.map((model) =>
    describeModel({ provider: name, name: model, tools: 'native' }, settings.overrides),
  );
  const address = { provider: name, wire: wireOf(known, own), baseUrl: url ?? '', apiKey: key?.value };
  const mayHaveChatAlone =
    address.wire === 'openai-responses' && own.api === undefined && url !== known?.baseUrl;
  const { ask, read } = mayHaveChatAlone
    ? withChatBeside(address)
    : {
        ask: (request: SourceRequest) => askApi(address, request),
        read: (raw: RawAnswer, request: SourceRequest) => readApi(address, request, raw),
      };
  const withKey = <Answer>(ask: () => Answer): Answer => {
    if (key)
      secretUsed?.({
        name: own.apiKey ? `models.providers.${name}.apiKey` : key.from,
        by: `model provider ${name}`,
      });
    return ask();
  };
  return {
    name,
    kind: 'api',
    models,
    concurrency: own.concurrency ?? DEFAULT_CONCURRENCY,
    requestsPerMinute: own.requestsPerMinute,
    listOffered: (signal) => withKey(() => listModels(address, signal)),
    find: () => ({ isFound: lack === undefined, reason: lack ?? foundBy(key?.from, url ?? '') }),
    ask: (request) => withKey(() => ask(request)),
    read,
  };
}

function wireOf(known: KnownApi | undefined, { api }: ProviderSettings): KnownApi['wire'] {
  if (!known) return 'openai-chat';
  return known.wire === 'openai-responses' && api === 'chat' ? 'openai-chat' : known.wire;
}

function foundBy(from: string | undefined, url: string): string {
  return `${from ?? 'without a key'}, at ${new URL(url).host}`;
}
