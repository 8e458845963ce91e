import type { ModelMessage, ModelUsage } from '@nexus/plugin-sdk';
import { historyTokens } from './message-size.ts';

/** How many tokens messages take, as far as a model has told. */
export interface TokenCount {
  /** An upper bound. */
  of(messages: readonly ModelMessage[]): number;
  /**
   * What a model counted of messages that it was sent, and of its answer.
   * @param overhead tokens that it was sent beside them
   */
  learn(sent: readonly ModelMessage[], answer: ModelMessage, usage: ModelUsage, overhead: number): void;
}

/** Before anything is known, and for what no model has seen: characters, on the safe side. */
export const estimate: Pick<TokenCount, 'of'> = { of: historyTokens };

/**
 * Counted by the provider up to its last answer, and estimated after it. Where a history was cut meanwhile, all of
 * it is estimated, in proportion where the model was found to need more tokens than that: scripts and encodings
 * differ by four times.
 */
export function tokenCount(): TokenCount {
  let known: readonly ModelMessage[] = [];
  let knownTokens = 0;
  let factor = 1;
  const estimated = (messages: readonly ModelMessage[]) => Math.ceil(historyTokens(messages) * factor);
  return {
    of(messages) {
      const isContinued = known.length > 0 && known.every((message, index) => message === messages[index]);
      return isContinued ? knownTokens + estimated(messages.slice(known.length)) : estimated(messages);
    },
    learn(sent, answer, { inputTokens, outputTokens }, overhead) {
      // Command lines of models may not say.
      if (inputTokens === 0) return;
      const history = Math.max(0, inputTokens - overhead);
      known = [...sent, answer];
      knownTokens = history + outputTokens;
      factor = Math.max(1, history / Math.max(1, historyTokens(sent)));
    },
  };
}
