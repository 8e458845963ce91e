import { KNOWN_MODELS } from '../catalogue/known-models.ts';
import type { ProviderSettings } from '../settings.ts';
import { KNOWN_APIS, type KnownApi, versioned } from './known-apis.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
type Providers = Readonly<Record<string, ProviderSettings>>;

const EMPTY: ProviderSettings = { isEnabled: true };

/** What the config says of an API, and what is known of it. */
export function settingsOf(name: string, providers: Providers) {
  const own = Object.hasOwn(providers, name) ? (providers[name] ?? EMPTY) : EMPTY;
  const known = Object.hasOwn(KNOWN_APIS, name) ? KNOWN_APIS[name] : undefined;
  return { own, known };
}

/** Where an API is, by what, and what it lacks to be asked; without a network. */
export function findApi(name: string, providers: Providers, environment: Environment) {
  const { own, known } = settingsOf(name, providers);
  const key = keyOf(known, own, environment);
  const url = urlOf(known, own, environment);
  const names = own.models ?? KNOWN_MODELS[name]?.map((model) => model.name) ?? [];
  const lack = lackOf({
    name,
    own,
    known,
    hasKey: key !== undefined,
    hasUrl: url !== undefined,
    hasModels: names.length > 0,
  });
  return { key, url, names, lack };
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
