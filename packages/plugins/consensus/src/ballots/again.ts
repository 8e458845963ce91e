import { z } from 'zod';
import type { Ballot, Choice, Objection } from './ballot.ts';

/** What a voter is asked with the second time. */
export interface Again<First> {
  /** What it answered the first time. */
  readonly first: First;
  /** Those of others, with evidence; at least one. */
  readonly objections: readonly Objection[];
  /** What the first ballots would let through. */
  readonly leading: Choice;
}

/** How a voter takes back conditions of its first ballot; no field where that had none. */
export function takingBack({ conditions = [] }: Pick<Ballot, 'conditions'>) {
  if (conditions.length === 0) return {};
  return {
    takenBack: z
      .array(z.int().min(1).max(conditions.length))
      .max(conditions.length)
      .default([])
      .describe('Numbers of the conditions of your first ballot that you take back.'),
  };
}

/** Those that it took back, in their words. */
export function takenBackOf(
  { conditions = [] }: Pick<Ballot, 'conditions'>,
  { takenBack = [] }: { readonly takenBack?: readonly number[] },
): Pick<Ballot, 'takenBack'> {
  const texts = conditions.filter((_, at) => takenBack.includes(at + 1));
  return texts.length === 0 ? {} : { takenBack: texts };
}

/**
 * A second ballot, bound by the first: what speaks against a proposal makes it no easier to approve. Conditions hold
 * until their voter takes them back in so many words, and who was not for what leads does not come over to it.
 */
export function carried<Each extends Ballot>(first: Each, second: Each, leading: Choice): Each {
  if (first.choice === 'error') return second;
  if (second.choice !== first.choice) return second.choice === leading ? first : second;
  const { takenBack = [] } = second;
  const bound = (first.conditions ?? []).filter((text) => !takenBack.includes(text));
  const conditions = [...new Set([...bound, ...(second.conditions ?? [])])];
  return conditions.length === 0 ? second : { ...second, conditions };
}
