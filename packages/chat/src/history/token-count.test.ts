import type { ModelMessage } from '@nexus/plugin-sdk';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fitHistory, type Summary, toSummarize } from './fit-history.ts';
import { historyTokens } from './message-size.ts';
import { tokenCount } from './token-count.ts';

const said = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const answered = (text: string): ModelMessage => ({ role: 'assistant', content: [{ type: 'text', text }] });
const used = (inputTokens: number, outputTokens: number) => ({
  inputTokens,
  outputTokens,
  cachedInputTokens: 0,
});

it('counts what the provider has counted as it did, and estimates what came after', () => {
  const count = tokenCount();
  const [question, answer] = [said('x'.repeat(3_000)), answered('y'.repeat(300))];
  expect(count.of([question])).toBe(historyTokens([question]));
  count.learn([question], answer, used(700, 60), 200);
  expect(count.of([question, answer])).toBe(560);
  const next = said('and now?');
  expect(count.of([question, answer, next])).toBe(560 + historyTokens([next]));
});

it('knows a cut history no better than an estimate, but in the model’s own proportion where that is more', () => {
  const count = tokenCount();
  const cjk = said('語'.repeat(3_000));
  count.learn([cjk], answered('好'), used(3_600, 10), 0);
  expect(count.of([said('語'.repeat(1_500))])).toBeGreaterThanOrEqual(1_500);
  // One that needs less may do so by what is gone now.
  count.learn([said('a'.repeat(9_000))], answered('b'), used(100, 10), 0);
  const other = said('c'.repeat(600));
  expect(count.of([other])).toBe(historyTokens([other]));
});

it('learns nothing of a model that does not say', () => {
  const count = tokenCount();
  const messages = [said('x'.repeat(900))];
  count.learn(messages, answered('y'), used(0, 0), 0);
  expect(count.of(messages)).toBe(historyTokens(messages));
});

it('keeps what is sent within the window by the model’s own count, whatever its tokens are, once it has counted', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.2, max: 4, noNaN: true }),
      fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 5, maxLength: 40 }),
      fc.integer({ min: 8_000, max: 60_000 }),
      (perEstimate, sizes, maxTokens) => {
        const tokens = tokenCount();
        const limits = { maxTokens, maxExchanges: 5, tokens };
        const real = (sent: readonly ModelMessage[]) => Math.floor(historyTokens(sent) * perEstimate);
        let messages: ModelMessage[] = [];
        let summary: Summary | undefined;
        for (const [turn, size] of sizes.entries()) {
          messages = [...messages, said('q'.repeat(turn === 0 ? 300 : size))];
          const older = toSummarize(messages, summary, limits);
          if (older.length > 0)
            summary = { text: `until ${turn}`, covers: (summary?.covers ?? 0) + older.length };
          const sent = fitHistory(messages, summary, limits);
          // But for what rounding does to a short first message.
          if (turn > 0) expect(real(sent)).toBeLessThanOrEqual(maxTokens * 1.02);
          const answer = answered('a'.repeat(200));
          tokens.learn(sent, answer, used(Math.max(1, real(sent)), real([answer])), 0);
          messages.push(answer);
        }
      },
    ),
    { numRuns: 200 },
  );
});
