import { isToolError, type ModelProvider, type Models } from '@nexus/plugin-sdk';

/** What came of asking one model for a word. */
export interface Probe {
  readonly model: string;
  readonly isGood: boolean;
  readonly latencyMs: number;
  /** What it answered, or why it did not. */
  readonly said: string;
}

const PROBE_TIMEOUT_MS = 60_000;
/** One word is one token; OpenAI accepts no lower limit than this. */
const MAX_OUTPUT_TOKENS = 16;

/** Asks every model that was found for one token, side by side; none fails for another. */
export function probe(models: Models, providers: readonly ModelProvider[]): Promise<Probe[]> {
  const found = providers.filter(({ isFound }) => isFound).flatMap((provider) => provider.models);
  return Promise.all(
    found.map(async ({ id: model }) => {
      const started = performance.now();
      const ended = (isGood: boolean, said: string): Probe => {
        return { model, isGood, said, latencyMs: Math.round(performance.now() - started) };
      };
      try {
        const { text } = await models.generate(
          {
            prompt: 'Answer with the one word: OK',
            model,
            maxOutputTokens: MAX_OUTPUT_TOKENS,
            category: 'speed',
          },
          { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) },
        );
        return ended(true, text.trim());
      } catch (error) {
        if (isToolError(error)) return ended(false, error.message);
        return ended(false, `did not answer within ${PROBE_TIMEOUT_MS / 1000} s`);
      }
    }),
  );
}
