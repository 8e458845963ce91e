import { cutEnd } from '@nexus/primitives';

/** As much as a vote takes. */
const MAX_PROPOSAL_CHARS = 4_000;

/** A plan as a panel votes on it: what was asked for in short, and as much of the plan as a vote takes. */
export function proposalOf(task: string, plan: string): string {
  const asked = cutEnd(task, MAX_PROPOSAL_CHARS / 4);
  return cutEnd(`Carry out this plan.\n\nAsked for: ${asked}\n\n${plan}`, MAX_PROPOSAL_CHARS - 1);
}
