import type { ModelMessage } from '@nexus/plugin-sdk';
import { historyTokens } from './message-size.ts';
import { shrink } from './shrink.ts';
import { turnGroups } from './turn-groups.ts';

/** What stands for the exchanges before the ones that are sent. */
export interface Summary {
  readonly text: string;
  /** How many messages of the history it covers. */
  readonly covers: number;
}

export interface HistoryLimits {
  /** What history may take of the model's window. */
  readonly maxTokens: number;
  /** More exchanges than this are summarised. */
  readonly maxExchanges: number;
}

/** After a summary so many exchanges stay whole, so that not every turn makes a new one. */
const KEPT_EXCHANGES = 3;

/** The messages that are to go into a summary; none while all that is not covered yet fits. */
export function toSummarize(
  messages: readonly ModelMessage[],
  summary: Summary | undefined,
  { maxTokens, maxExchanges }: HistoryLimits,
): readonly ModelMessage[] {
  const open = messages.slice(summary?.covers ?? 0);
  const groups = turnGroups(open);
  if (groups.length <= 1) return [];
  if (groups.length <= maxExchanges && historyTokens(withSummary(open, summary)) <= maxTokens) return [];
  let kept = Math.min(KEPT_EXCHANGES, maxExchanges, groups.length - 1);
  while (kept > 1 && historyTokens(groups.slice(-kept).flat()) > maxTokens / 2) kept -= 1;
  return groups.slice(0, -kept).flat();
}

/** What is sent of a history: the summary, then whole exchanges, within the budget whatever they hold. */
export function fitHistory(
  messages: readonly ModelMessage[],
  summary: Summary | undefined,
  { maxTokens }: HistoryLimits,
): ModelMessage[] {
  const groups = turnGroups(messages.slice(summary?.covers ?? 0));
  // Where no summary could be made the oldest exchanges are left out all the same.
  while (groups.length > 1 && historyTokens(withSummary(groups.flat(), summary)) > maxTokens) groups.shift();
  const fitting = withSummary(groups.flat(), summary);
  return historyTokens(fitting) <= maxTokens ? fitting : shrink(fitting, maxTokens);
}

/** The summary goes before what the user said first, in the same message: two of a role are not for every model. */
function withSummary(messages: readonly ModelMessage[], summary: Summary | undefined): ModelMessage[] {
  const [first, ...rest] = messages;
  if (!summary || !first) return [...messages];
  const told = { type: 'text' as const, text: `Summary of our conversation until now:\n${summary.text}` };
  return [{ ...first, content: [told, ...first.content] }, ...rest];
}
