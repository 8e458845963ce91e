import type { KnownSpend } from '@nexus/conversation';
import type { ModelMessage, ModelUsage } from '@nexus/plugin-sdk';
import type { Summary } from '../history/fit-history.ts';

/** A conversation as it is kept: plain JSON, whole, whatever model it was with. */
export interface ChatSession {
  readonly version: 1;
  readonly id: string;
  /** ISO 8601. */
  readonly startedAt: string;
  updatedAt: string;
  /** Given by the user. */
  title?: string;
  model?: string;
  messages: ModelMessage[];
  summary?: Summary;
  usage: ModelUsage;
  /** All that it cost, summaries and what its servers asked included; a cap counts it. */
  spent?: KnownSpend;
  /** Whether a turn is being made; so it says in a file whose process was killed in the middle of one. */
  isInTurn?: boolean;
  /** Of the calls that the model asked for last, by their ids: those that are made, and those that have answered. */
  calls?: Readonly<Record<string, CallState>>;
  /** Tools that the user allowed for the whole session, by their `origin`. */
  allowed: string[];
  /** What its tools brought, by the first that did. Both together, and each call that may write outward is asked about. */
  knows?: { untrusted?: string; private?: string };
}

/** On record before a call is made, and once it has answered. */
export type CallState = 'made' | 'answered';

/** Whether there is anything to come back to: a conversation in which nothing was said, or paid for, leaves no trace. */
export function holdsAnything({ messages, spent }: ChatSession): boolean {
  const { tokens = 0, costUsd = 0, unknownCalls = 0 } = spent ?? {};
  return messages.length > 0 || tokens + costUsd + unknownCalls > 0;
}

/** What a list of sessions shows. */
export interface SessionOutline {
  readonly id: string;
  readonly updatedAt: string;
  readonly exchanges: number;
  /** The title, or the user's first words. */
  readonly firstWords: string;
}
