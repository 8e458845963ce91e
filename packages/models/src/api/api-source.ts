import { describeModel } from '../catalogue/describe-model.ts';
import { KNOWN_MODELS } from '../catalogue/known-models.ts';
import type { ModelsSettings, ProviderSettings } from '../settings.ts';
import type { ModelSource } from '../source.ts';
import { askApi, readApi } from './ask-api.ts';
import { KNOWN_APIS, type KnownApi, versioned } from './known-apis.ts';
import { listModels } from './list-models.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_CONCURRENCY = 8;
const EMPTY: ProviderSettings = { isEnabled: true };

/** An API with a key; one whose name is not known speaks OpenAI's chat interface at its own address. */
export function apiSource(name: string, settings: ModelsSettings, environment: Environment): ModelSource {
  const own = Object.hasOwn(settings.providers, name) ? (settings.providers[name] ?? EMPTY) : EMPTY;
  const known = Object.hasOwn(KNOWN_APIS, name) ? KNOWN_APIS[name] : undefined;
  const key = keyOf(known, own, environment);
  const url = urlOf(known, own, environment);
  const names = own.models ?? KNOWN_MODELS[name]?.map((model) => model.name) ?? [];
  const models = names.map((model) =>
    describeModel({ provider: name, name: model, tools: 'native' }, settings.overrides),
  );
  const lack = lackOf({
    name,
    own,
    known,
    hasKey: key !== undefined,
    hasUrl: url !== undefined,
    hasModels: names.length > 0,
  });
  const address = { provider: name, wire: wireOf(known, own), baseUrl: url ?? '', apiKey: key?.value };
  return {
    name,
    kind: 'api',
    models,
    concurrency: own.concurrency ?? DEFAULT_CONCURRENCY,
    requestsPerMinute: own.requestsPerMinute,
    listOffered: (signal) => listModels(address, signal),
    find: () => ({ isFound: lack === undefined, reason: lack ?? foundBy(key?.from, url ?? '') }),
    ask: (request) => askApi(address, request),
    read: (raw, request) => readApi(address, request, raw),
  };
}

function wireOf(known: KnownApi | undefined, { api }: ProviderSettings): KnownApi['wire'] {
  if (!known) return 'openai-chat';
  return known.wire === 'openai-responses' && api === 'chat' ? 'openai-chat' : known.wire;
}

function keyOf(
  known: KnownApi | undefined,
  own: ProviderSettings,
  environment: Environment,
): { readonly value: string; readonly from: string } | undefined {
  if (own.apiKey) return { value: own.apiKey, from: 'its key in the config' };
  for (const variable of known?.keyVariables ?? []) {
    const value = environment[variable]?.trim();
    if (value) return { value, from: variable };
  }
  return undefined;
}

function urlOf(
  known: KnownApi | undefined,
  own: ProviderSettings,
  environment: Environment,
): string | undefined {
  const variable = known?.baseUrlVariables.find((each) => environment[each]?.trim());
  const url = own.baseUrl ?? (variable === undefined ? known?.baseUrl : environment[variable]?.trim());
  return url === undefined ? undefined : versioned(url, known?.version ?? 'v1');
}

interface Found {
  readonly name: string;
  readonly own: ProviderSettings;
  readonly known: KnownApi | undefined;
  readonly hasKey: boolean;
  readonly hasUrl: boolean;
  readonly hasModels: boolean;
}

function lackOf({ name, own, known, hasKey, hasUrl, hasModels }: Found): string | undefined {
  if (!own.isEnabled) return `switched off by models.providers.${name}.enabled`;
  if (!hasUrl) return `has no address: set models.providers.${name}.baseUrl`;
  if (!hasModels) return `names no model: set models.providers.${name}.models`;
  // An address of one's own, such as a local server's, may want no key.
  if (known && !hasKey && own.baseUrl === undefined)
    return `has no key: set ${known.keyVariables.join(' or ')}, or models.providers.${name}.apiKey`;
  return undefined;
}

function foundBy(from: string | undefined, url: string): string {
  return `${from ?? 'without a key'}, at ${new URL(url).host}`;
}
