import type { ModelCategory } from '@nexus/plugin-sdk';

/** What the config says of one model, over what is known of it. */
export interface ModelOverride {
  readonly contextWindow?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly price?:
    | { readonly input: number; readonly output: number; readonly cachedInput?: number | undefined }
    | undefined;
  readonly quality?: { readonly [category in ModelCategory]?: number | undefined } | undefined;
  readonly reads?: readonly ('image' | 'audio' | 'pdf')[] | undefined;
}

/** One provider's section of the config. */
export interface ProviderSettings {
  readonly isEnabled: boolean;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** The first is used where only the provider is named. */
  readonly models?: readonly string[] | undefined;
  readonly concurrency?: number | undefined;
  readonly requestsPerMinute?: number | undefined;
  /** OpenAI's newer interface, or the one that most others copy. */
  readonly api?: 'responses' | 'chat' | undefined;
  /** A command line's program, where it is not on the PATH under its own name. */
  readonly command?: string | undefined;
}

/** Section `models` of the config, checked. */
export interface ModelsSettings {
  /** Providers in the order of use; those left out follow in their usual order. */
  readonly order: readonly string[];
  /** `provider:name`, a provider, or `auto`. */
  readonly default?: string | undefined;
  /** By provider; a name that is none of the known ones speaks OpenAI's chat interface at its `baseUrl`. */
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  /** By `provider:name`. */
  readonly overrides: Readonly<Record<string, ModelOverride>>;
  readonly maxAttempts: number;
}
