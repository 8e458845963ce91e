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
  const address = addressOf(name, { known, own, environment });
  const url = address === undefined ? undefined : versioned(address.value, known?.version ?? 'v1');
  const names = own.models ?? KNOWN_MODELS[name]?.map((model) => model.name) ?? [];
  const lack = lackOf({
    name,
    own,
    known,
    hasKey: key !== undefined,
    address,
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

/** Where it is, and by what: the config, a variable, or what is known of it. */
interface Address {
  readonly value: string;
  readonly from: string;
}

function addressOf(
  name: string,
  {
    known,
    own,
    environment,
  }: {
    readonly known: KnownApi | undefined;
    readonly own: ProviderSettings;
    readonly environment: Environment;
  },
): Address | undefined {
  if (own.baseUrl !== undefined) return { value: own.baseUrl, from: `models.providers.${name}.baseUrl` };
  for (const variable of known?.baseUrlVariables ?? []) {
    const value = environment[variable]?.trim();
    if (value) return { value, from: variable };
  }
  return known && { value: known.baseUrl, from: 'what is known of it' };
}

interface Found {
  readonly name: string;
  readonly own: ProviderSettings;
  readonly known: KnownApi | undefined;
  readonly hasKey: boolean;
  readonly address: Address | undefined;
  readonly hasModels: boolean;
}

function lackOf({ name, own, known, hasKey, address, hasModels }: Found): string | undefined {
  if (!own.isEnabled) return `switched off by models.providers.${name}.enabled`;
  if (!address) return `has no address: set models.providers.${name}.baseUrl`;
  // Its value is left out: a key may stand there by mistake.
  if (!isWebAddress(address.value))
    return `has no address to be reached at: ${address.from} has to begin with http:// or https://`;
  if (!hasModels) return `names no model: set models.providers.${name}.models`;
  // An address of one's own, such as a local server's, may want no key.
  if (known && !hasKey && own.baseUrl === undefined)
    return `has no key: set ${known.keyVariables.join(' or ')}, or models.providers.${name}.apiKey`;
  return undefined;
}

/** `localhost:11434` is a URL, too, and of no protocol that anything could be asked by. */
function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}
