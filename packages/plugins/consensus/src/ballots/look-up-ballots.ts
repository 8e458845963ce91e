import { lookUp, type RunContext } from '@nexus/plugin-sdk';
import type { Ballot } from './ballot.ts';

/** Ballots with `(not found)` after what their reasons name and what is not in the project, as one durable step. */
export function lookUpBallots<Each extends Ballot>(
  run: RunContext,
  ballots: readonly Each[],
): Promise<readonly Each[]> {
  return run.step(
    'names in ballots',
    async ({ tools }) => {
      const ground = { project: run.host.project, tools };
      const looked: Each[] = [];
      for (const ballot of ballots) {
        // Why a ballot could not be had is our own word.
        const { marked } =
          ballot.choice === 'error' ? { marked: ballot.reasoning } : await lookUp(ballot.reasoning, ground);
        looked.push({ ...ballot, reasoning: marked });
      }
      return looked;
    },
    { title: 'looks up what the ballots name' },
  );
}
