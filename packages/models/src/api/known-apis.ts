/** The interfaces that models are spoken to by. */
export type Wire = 'anthropic' | 'openai-responses' | 'openai-chat' | 'google';

export interface KnownApi {
  readonly wire: Wire;
  /** The first that is set is the key. */
  readonly keyVariables: readonly string[];
  readonly baseUrlVariables: readonly string[];
  readonly baseUrl: string;
  /** What a base URL without a version gets; people write it both ways. */
  readonly version: string;
}

/** The APIs with keys and addresses of their own, in their usual order. */
export const KNOWN_APIS: Readonly<Record<string, KnownApi>> = {
  anthropic: {
    wire: 'anthropic',
    keyVariables: ['ANTHROPIC_API_KEY'],
    baseUrlVariables: ['ANTHROPIC_BASE_URL'],
    baseUrl: 'https://api.anthropic.com',
    version: 'v1',
  },
  openai: {
    wire: 'openai-responses',
    keyVariables: ['OPENAI_API_KEY'],
    baseUrlVariables: ['OPENAI_BASE_URL', 'OPENAI_API_BASE'],
    baseUrl: 'https://api.openai.com',
    version: 'v1',
  },
  google: {
    wire: 'google',
    keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    baseUrlVariables: ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_BASE_URL'],
    baseUrl: 'https://generativelanguage.googleapis.com',
    version: 'v1beta',
  },
};

const HAS_VERSION = /\/v\d+(?:(?:alpha|beta)\d*)?$/;

/** With its version at the end, written or not; without a slash after it. */
export function versioned(url: string, version: string): string {
  const bare = url.replace(/(?<!\/)\/+$/, '');
  return HAS_VERSION.test(bare) ? bare : `${bare}/${version}`;
}
