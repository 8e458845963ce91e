import type { ModelEntry } from '@nexus/plugin-sdk';
import type { ModelOverride } from '../settings.ts';
import { KNOWN_AS_OF, KNOWN_MODELS } from './known-models.ts';

/** A model that nothing is known of: neither the best nor the worst. */
const UNKNOWN_QUALITY = { general: 0.6, reasoning: 0.6, code: 0.6, context: 0.6, speed: 0.6 };

/** One model with all that is known of it, the config's word over the table's. */
export function describeModel(
  { provider, name, tools }: Pick<ModelEntry, 'provider' | 'name' | 'tools'>,
  overrides: Readonly<Record<string, ModelOverride>>,
): ModelEntry {
  const id = `${provider}:${name}`;
  const known = KNOWN_MODELS[provider]?.find((model) => model.name === name);
  const own = Object.hasOwn(overrides, id) ? overrides[id] : undefined;
  const contextWindow = own?.contextWindow ?? known?.contextWindow;
  const maxOutputTokens = own?.maxOutputTokens ?? known?.maxOutputTokens;
  const price = ownPrice(own) ?? known?.price;
  const asOf = own?.price ? 'config' : known && KNOWN_AS_OF;
  return {
    id,
    provider,
    name,
    tools,
    reads: own?.reads ?? known?.reads ?? [],
    quality: { ...UNKNOWN_QUALITY, ...known?.quality, ...defined(own?.quality) },
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(price === undefined ? {} : { price }),
    ...(asOf === undefined ? {} : { asOf }),
  };
}

function ownPrice(own: ModelOverride | undefined): ModelEntry['price'] {
  if (!own?.price) return undefined;
  const { input, output, cachedInput } = own.price;
  return { input, output, ...(cachedInput === undefined ? {} : { cachedInput }) };
}

function defined(quality: ModelOverride['quality']): Partial<ModelEntry['quality']> {
  return Object.fromEntries(Object.entries(quality ?? {}).filter(([, value]) => value !== undefined));
}
