import { lookUp, type RunContext } from '@nexus/plugin-sdk';
import { markClaimsToHaveRun } from '@nexus/plugin-sdk/evidence';
import { type Matter, type VoteGround, wordsOf } from '../ground/vote-ground.ts';
import type { Ballot } from './ballot.ts';

/**
 * Ballots with `(not found)` after what their reasons name and what is not in the project, and `(nothing was run)` after
 * what they say to have run, as one durable step: voters read, and run nothing.
 * @param shown what all of them were given, where a run of somebody else's may be told of
 */
export function lookUpBallots<Each extends Ballot>(
  run: RunContext,
  ballots: readonly Each[],
  { matter, ground }: { readonly matter: Matter; readonly ground: VoteGround },
): Promise<readonly Each[]> {
  const given = [wordsOf(matter), matter.ground ?? '', ground.text].join('\n');
  const mark = (text: string) => markClaimsToHaveRun(text, [], given);
  return run.step(
    'names in ballots',
    async ({ tools }) => {
      const project = { project: run.host.project, tools };
      const looked: Each[] = [];
      for (const ballot of ballots) {
        // Why a ballot could not be had is our own word.
        if (ballot.choice === 'error') {
          looked.push(ballot);
          continue;
        }
        const { objection } = ballot;
        const reasoning = mark((await lookUp(ballot.reasoning, project)).marked);
        const marked = objection && {
          objection: { ...objection, claim: mark(objection.claim), evidence: mark(objection.evidence) },
        };
        looked.push({ ...ballot, reasoning, ...marked });
      }
      return looked;
    },
    { title: 'looks up what the ballots name' },
  );
}
