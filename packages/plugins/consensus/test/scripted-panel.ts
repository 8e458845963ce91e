import type { GenerateRequest } from '@nexus/plugin-sdk';
import { type ScriptedAnswer, type ScriptedModels, scriptedModels } from '@nexus/testing';
import { type VoterName, voterNames, voters } from '../src/voters/voters.ts';

export const TWO_MODELS = ['anthropic:claude-x', 'openai:gpt-x'];

/** Who is asked, by the prompt that its role has. */
export function voterOf({ system = '' }: GenerateRequest): VoterName {
  const found = voterNames.find((name) => system.includes(voters[name].prompt));
  if (!found) throw new Error(`no voter is asked this: ${system.slice(0, 100)}`);
  return found;
}

type Say = 'approve' | 'reject' | 'abstain' | Error | ScriptedAnswer;

/** A panel that approves, but for those who are told otherwise. */
export function scriptedPanel(
  says: Partial<Record<VoterName, Say>> | ((voter: VoterName, request: GenerateRequest) => Say) = {},
  models: readonly string[] = TWO_MODELS,
): ScriptedModels {
  return scriptedModels(
    (request) => {
      const voter = voterOf(request);
      const say = typeof says === 'function' ? says(voter, request) : (says[voter] ?? 'approve');
      return typeof say === 'string' ? sided(voter, say) : say;
    },
    { models },
  );
}

function sided(voter: VoterName, decision: string): ScriptedAnswer {
  return { object: { reasoning: `${voter} says ${decision}.`, decision, confidence: 0.8 } };
}

export const optioned = (option: number): ScriptedAnswer => ({
  object: { reasoning: 'It is the best.', option, confidence: 0.7 },
});
