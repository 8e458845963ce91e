import { z } from 'zod';

const Tokens = z.int().min(1).max(100_000_000).optional();
const Dollars = z.number().min(0).max(100_000);
const Quality = z.number().min(0).max(1).optional();

const Provider = z
  .strictObject({
    enabled: z.boolean().default(true).describe('Whether it is used at all.'),
    baseUrl: z
      .url()
      .max(2_000)
      .optional()
      .describe('Where its API is; the version at the end may be left out.'),
    apiKey: z
      .string()
      .min(1)
      .max(10_000)
      .optional()
      .describe(
        'Its key, such as $OPENROUTER_API_KEY in braces; the known providers’ usual variables are read anyway.',
      ),
    api: z
      .enum(['responses', 'chat'])
      .optional()
      .describe(
        'Which of OpenAI’s interfaces is spoken: responses by openai itself, chat by all that copy it.',
      ),
    models: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(100)
      .optional()
      .describe('Models to use, the usual one first; needed for a provider that Nexus does not know.'),
    command: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe('The program of claude, codex, gemini or opencode, where it has another name or place.'),
    concurrency: z.int().min(1).max(1_000).optional().describe('Calls at the same time.'),
    requestsPerMinute: z.int().min(1).max(1_000_000).optional().describe('Calls begun in one minute.'),
  })
  .describe('One source of models.');

const Model = z
  .strictObject({
    contextWindow: Tokens.describe('How many tokens it reads.'),
    maxOutputTokens: Tokens.describe('How many tokens it writes at most.'),
    price: z
      .strictObject({
        input: Dollars.describe('What it reads.'),
        output: Dollars.describe('What it writes.'),
        cachedInput: Dollars.optional().describe('What it reads from the provider’s cache.'),
      })
      .optional()
      .describe('US dollars per million tokens.'),
    reads: z
      .array(z.enum(['image', 'audio', 'pdf']))
      .max(3)
      .optional()
      .describe('What it reads beside text.'),
    quality: z
      .strictObject({ general: Quality, reasoning: Quality, code: Quality, context: Quality, speed: Quality })
      .optional()
      .describe('How good it is at what, from 0 to 1, for the router.'),
  })
  .describe('What is known of one model, over Nexus’ own table.');

/** Language models: one section of the config. */
export const ModelsSection = z
  .strictObject({
    order: z
      .array(z.string().min(1).max(64))
      .max(100)
      .default([])
      .describe(
        'Sources in the order of use; by default anthropic, openai, google, own ones, claude, codex, gemini, opencode, host.',
      ),
    default: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .describe(
        'The model used where none is named: provider:name, a provider, or auto for the router’s choice.',
      ),
    providers: z
      .record(z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be a short name, such as ollama'), Provider)
      .default({})
      .describe(
        'Settings by source: anthropic, openai, google, claude, codex, gemini, opencode, host; any other name is a server that speaks OpenAI’s chat interface.',
      ),
    models: z
      .record(z.string().min(1).max(300), Model)
      .default({})
      .describe('Prices, windows and quality by provider:name.'),
    maxAttempts: z
      .int()
      .min(1)
      .max(10)
      .default(4)
      .describe('How often a call is made in all, where making it again may help.'),
  })
  .prefault({})
  .describe('Language models.');
