import type { ModelMessage } from '@nexus/plugin-sdk';
import { shrink } from './shrink.ts';
import { estimate, type TokenCount } from './token-count.ts';
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
  /** By default estimated. */
  readonly tokens?: Pick<TokenCount, 'of'>;
}

/** After a summary so many exchanges stay whole, so that not every turn makes a new one. */
const KEPT_EXCHANGES = 3;

/** The messages that are to go into a summary; none while all that is not covered yet fits. */
export function toSummarize(
  messages: readonly ModelMessage[],
  summary: Summary | undefined,
  { maxTokens, maxExchanges, tokens = estimate }: HistoryLimits,
): readonly ModelMessage[] {
  const open = messages.slice(summary?.covers ?? 0);
  const groups = turnGroups(open);
  if (groups.length <= 1) return [];
  if (groups.length <= maxExchanges && tokens.of(withSummary(open, summary)) <= maxTokens) return [];
  let kept = Math.min(KEPT_EXCHANGES, maxExchanges, groups.length - 1);
  while (kept > 1 && tokens.of(groups.slice(-kept).flat()) > maxTokens / 2) kept -= 1;
  return groups.slice(0, -kept).flat();
}

/** What is sent of a history: the summary, then whole exchanges, within the budget whatever they hold. */
export function fitHistory(
  messages: readonly ModelMessage[],
  summary: Summary | undefined,
  { maxTokens, tokens = estimate }: HistoryLimits,
): ModelMessage[] {
  const groups = turnGroups(messages.slice(summary?.covers ?? 0));
  // Where no summary could be made the oldest exchanges are left out all the same.
  while (groups.length > 1 && tokens.of(withSummary(groups.flat(), summary)) > maxTokens) groups.shift();
  const fitting = withSummary(groups.flat(), summary);
  return tokens.of(fitting) <= maxTokens ? fitting : shrink(fitting, maxTokens, tokens);
}

/** The summary goes before what the user said first, in the same message: two of a role are not for every model. */
function withSummary(messages: readonly ModelMessage[], summary: Summary | undefined): ModelMessage[] {
  const [first, ...rest] = messages;
  if (!summary || !first) return [...messages];
  return [summarized(first, summary), ...rest];
}

const told = new WeakMap<ModelMessage, { readonly summary: Summary; readonly message: ModelMessage }>();

/** The same for the same, so that a history that goes on is seen to do so. */
function summarized(first: ModelMessage, summary: Summary): ModelMessage {
  const before = told.get(first);
  if (before?.summary === summary) return before.message;
  const text = { type: 'text' as const, text: `Summary of our conversation until now:\n${summary.text}` };
  const message = { ...first, content: [text, ...first.content] };
  told.set(first, { summary, message });
  return message;
}
