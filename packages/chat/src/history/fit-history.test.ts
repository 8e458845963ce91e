import { historyFaults } from '@nexus/conversation';
import type { ModelBlock, ModelMessage } from '@nexus/plugin-sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitHistory, type Summary, toSummarize } from './fit-history.ts';
import { historyTokens } from './message-size.ts';
import { turnGroups } from './turn-groups.ts';

const text = (words: string): ModelBlock => ({ type: 'text', text: words });
const said = (words: string): ModelMessage => ({ role: 'user', content: [text(words)] });
const answered = (words: string): ModelMessage => ({ role: 'assistant', content: [text(words)] });

let ids = 0;
/** A use or more, and their results, so large. */
function calls(sizes: readonly number[]): ModelMessage[] {
  const uses = sizes.map((size) => {
    ids += 1;
    return { id: `u${ids}`, size };
  });
  return [
    {
      role: 'assistant',
      content: uses.map(({ id }) => ({ type: 'tool_use', id, name: 't', input: { id } })),
    },
    {
      role: 'user',
      content: uses.map(({ id, size }) => ({
        type: 'tool_result',
        toolUseId: id,
        content: [{ type: 'text', text: 'x'.repeat(size) }],
      })),
    },
  ];
}

const sizes = fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 4 });
const exchange = fc
  .record({
    prompt: fc.string({ minLength: 1, maxLength: 2_000 }),
    turns: fc.array(sizes, { maxLength: 6 }),
    answer: fc.string({ minLength: 1, maxLength: 5_000 }),
  })
  .map(({ prompt, turns, answer }) => [said(prompt), ...turns.flatMap(calls), answered(answer)]);

describe('a history that is to fit', () => {
  it('stays within the budget, valid, and with every use beside its result, whatever it holds', () => {
    fc.assert(
      fc.property(
        fc.array(exchange, { maxLength: 12 }),
        fc.array(sizes, { maxLength: 6 }),
        fc.integer({ min: 2_000, max: 60_000 }),
        fc.option(fc.nat(8)),
        (past, now, maxTokens, covered) => {
          const messages = [...past.flat(), said('and now?'), ...now.flatMap(calls)];
          const covers = past.slice(0, Math.min(covered ?? 0, past.length)).flat().length;
          const summary = covered === null ? undefined : { text: 'what was', covers };
          const sent = fitHistory(messages, summary, { maxTokens, maxExchanges: 5 });
          expect(historyFaults(sent)).toEqual([]);
          expect(historyTokens(sent)).toBeLessThanOrEqual(maxTokens);
          expect(JSON.stringify(sent)).toContain('and now?');
        },
      ),
      { numRuns: 150 },
    );
  });

  it('of 200 turns with large results is summarised as it goes, and always fits', () => {
    const limits = { maxTokens: 30_000, maxExchanges: 5 };
    let messages: ModelMessage[] = [];
    let summary: Summary | undefined;
    let summaries = 0;
    for (let turn = 0; turn < 200; turn += 1) {
      messages = [...messages, said(`question ${turn}`), ...calls([19_000, 200])];
      const older = toSummarize(messages, summary, limits);
      if (older.length > 0) {
        summaries += 1;
        expect(turnGroups(older).flat()).toEqual(older);
        summary = { text: `until ${turn}`, covers: (summary?.covers ?? 0) + older.length };
      }
      const sent = fitHistory(messages, summary, limits);
      expect(historyTokens(sent)).toBeLessThanOrEqual(limits.maxTokens);
      expect(historyFaults(sent)).toEqual([]);
      expect(turnGroups(sent).length).toBeLessThanOrEqual(limits.maxExchanges);
      messages = [...messages, answered(`answer ${turn}`)];
    }
    // Not one at every turn: each costs a call of the model.
    expect(summaries).toBeLessThan(150);
    expect(JSON.stringify(fitHistory([...messages, said('x')], summary, limits))).toContain(
      'Summary of our conversation until now',
    );
  });

  it('is sent as it is while it is short', () => {
    const messages = [said('a'), answered('b'), said('c')];
    expect(toSummarize(messages, undefined, { maxTokens: 1_000, maxExchanges: 5 })).toEqual([]);
    expect(fitHistory(messages, undefined, { maxTokens: 1_000, maxExchanges: 5 })).toEqual(messages);
  });

  it('past five exchanges has the older ones summarised, whole', () => {
    const messages = Array.from({ length: 6 }, (_, index) => [said(`q${index}`), answered(`a${index}`)])
      .flat()
      .slice(0, -1);
    const older = toSummarize(messages, undefined, { maxTokens: 10_000, maxExchanges: 5 });
    expect(older).toEqual(messages.slice(0, 6));
  });
});
