import {
  type RunContext,
  type VoteCondition,
  type VoteConditionsOutput,
  voteConditions,
} from '@nexus/plugin-sdk';
import { cutMiddle } from '@nexus/primitives';

export interface ConditionsInput {
  /** Of its step; by default `conditions`. */
  readonly step?: string;
  readonly proposal: string;
  /** Of the vote; none where it ended before votes had any. */
  readonly conditions: readonly VoteCondition[] | undefined;
  /** What came of it. */
  readonly work: string;
  /** See `VoteConditionsInput.isBinding`. */
  readonly isBinding: boolean;
}

/** As much of the work as whoever checks reads. */
const MAX_WORK_CHARS = 100_000;

/** The conditions of a vote that was held before the work, checked against what came of it. */
export async function checkConditions(
  run: RunContext,
  { step = 'conditions', proposal, conditions = [], work, isBinding }: ConditionsInput,
): Promise<VoteConditionsOutput> {
  if (conditions.length === 0) return { conditions };
  const asked = conditions.map(({ text, by }) => ({ text, by }));
  const input = { proposal, conditions: asked, work: cutMiddle(work, MAX_WORK_CHARS), isBinding };
  return await run.child(step, voteConditions, input, {
    title: 'checks the conditions of the vote',
  });
}

export function isBroken(conditions: readonly VoteCondition[]): boolean {
  return conditions.some(({ state }) => state === 'not_met');
}

/** Whether of any of them nobody can tell how it came out. */
export function isUnknown(conditions: readonly VoteCondition[]): boolean {
  return conditions.some(({ state }) => state === 'unknown');
}

/** For a person, Markdown; empty without any. */
export function conditionsText(conditions: readonly VoteCondition[]): string {
  if (conditions.length === 0) return '';
  const lines = conditions.map(
    (each) => `- **${stateOf(each)}**: ${each.text} (${each.by.join(', ')}). ${each.why}`,
  );
  return `## Conditions of the vote\n\n${lines.join('\n')}`;
}

/** In words. */
export function stateOf({ state }: VoteCondition): string {
  return state.replace('_', ' ');
}
