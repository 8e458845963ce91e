import type { KnownSpend } from '@nexus/conversation';
import { costLine, dollars, NO_USAGE } from '@nexus/plugin-sdk';

/** What is spent by now: of an interrupted call nobody knows it. */
export function spentWords({ costUsd, unknownCalls = 0 }: KnownSpend): string {
  return `${dollars(costUsd)}${unknownCalls === 0 ? '' : ' known'}`;
}

/** For the end of a turn that was cancelled: what nobody knows of its cost. Empty where no call was interrupted. */
export function interruptedWords(before: KnownSpend, now: KnownSpend): string {
  const unknownCalls = (now.unknownCalls ?? 0) - (before.unknownCalls ?? 0);
  return unknownCalls === 0 ? '' : `; ${costLine({ ...NO_USAGE, unknownCalls })}`;
}
