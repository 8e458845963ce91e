import type { ModelEntry } from '@nexus/plugin-sdk';

type Known = Omit<ModelEntry, 'id' | 'provider' | 'asOf' | 'tools'> & {
  /** Above so many input tokens the whole call costs this instead. */
  readonly longPrice?: {
    readonly above: number;
    readonly input: number;
    readonly output: number;
    readonly cachedInput?: number;
  };
};

/** When windows and prices were read from the providers' own pages. The config overrides any of them. */
export const KNOWN_AS_OF = '2026-11-22';

const MILLION = 1_000_000;

/**
 * What is known of the APIs' models, each provider's everyday model first: it is the one used where only the
 * provider is named. `quality` is declared, on one scale for all, and held against measured outcomes later.
 * A price that is not known is left out, never guessed; of one that is lower for a while, the lasting one stands.
 */
export const KNOWN_MODELS: Readonly<Record<string, readonly Known[]>> = {
  anthropic: [
    {
      name: 'claude-sonnet-5-5',
      contextWindow: MILLION,
      maxOutputTokens: 128_000,
      price: { input: 2, output: 10, cachedInput: 0.2 },
      reads: ['image', 'pdf'],
      quality: { general: 0.88, reasoning: 0.86, code: 0.9, context: 0.88, speed: 0.7 },
    },
    {
      name: 'claude-opus-5-5',
      contextWindow: MILLION,
      maxOutputTokens: 128_000,
      price: { input: 4, output: 20, cachedInput: 0.2 },
      reads: ['image', 'pdf'],
      quality: { general: 0.94, reasoning: 0.94, code: 0.95, context: 0.92, speed: 0.5 },
    },
    {
      name: 'claude-haiku-5-5',
      contextWindow: MILLION,
      maxOutputTokens: 128_000,
      price: { input: 0.1, output: 0.5 },
      longPrice: { above: 100_000, input: 0.5, output: 2.5 },
      reads: ['image', 'pdf'],
      quality: { general: 0.76, reasoning: 0.7, code: 0.76, context: 0.76, speed: 0.95 },
    },
  ],
  openai: [
    {
      name: 'gpt-6.1-sol',
      contextWindow: 1_050_000,
      maxOutputTokens: 128_000,
      price: { input: 2, output: 10, cachedInput: 0.1 },
      longPrice: { above: 272_000, input: 4, output: 15, cachedInput: 0.2 },
      reads: ['image', 'pdf'],
      quality: { general: 0.89, reasoning: 0.9, code: 0.89, context: 0.88, speed: 0.7 },
    },
    {
      name: 'gpt-6-astra',
      contextWindow: 1_050_000,
      maxOutputTokens: 128_000,
      price: { input: 10, output: 50, cachedInput: 1 },
      longPrice: { above: 272_000, input: 20, output: 75, cachedInput: 2 },
      reads: ['image', 'pdf'],
      quality: { general: 0.95, reasoning: 0.96, code: 0.94, context: 0.92, speed: 0.4 },
    },
    {
      name: 'gpt-6-luna',
      contextWindow: 1_050_000,
      maxOutputTokens: 128_000,
      price: { input: 0.1, output: 0.5, cachedInput: 0.01 },
      longPrice: { above: 272_000, input: 0.2, output: 0.75, cachedInput: 0.02 },
      reads: ['image', 'pdf'],
      quality: { general: 0.77, reasoning: 0.74, code: 0.75, context: 0.77, speed: 0.95 },
    },
  ],
  google: [
    {
      name: 'gemini-4-argon',
      contextWindow: 1_048_576,
      maxOutputTokens: 64_000,
      // From December 2026; half of that before.
      price: { input: 4, output: 20, cachedInput: 0.2 },
      reads: ['image', 'audio', 'pdf'],
      quality: { general: 0.9, reasoning: 0.91, code: 0.86, context: 0.94, speed: 0.6 },
    },
    {
      name: 'gemini-3.8-flash',
      contextWindow: 1_048_576,
      maxOutputTokens: 65_536,
      // From January 2027; half of that before.
      price: { input: 1.5, output: 7.5 },
      reads: ['image', 'audio', 'pdf'],
      quality: { general: 0.79, reasoning: 0.74, code: 0.75, context: 0.84, speed: 0.92 },
    },
  ],
};
