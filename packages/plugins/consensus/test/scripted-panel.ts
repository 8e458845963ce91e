import type { GenerateRequest } from '@nexus/plugin-sdk';
import { type ScriptedAnswer, type ScriptedModels, scriptedModels } from '@nexus/testing';
import { type VoterName, voterNames, voters } from '../src/voters/voters.ts';

export const TWO_MODELS = ['anthropic:claude-x', 'openai:gpt-x'];

/** Something in which every voter of the panel has a stake. */
export const MATTER = 'Keep the users’ settings and the scores of models in SQLite.';

/** All that a request says, in one text. */
export function textOf({ system = '', prompt }: GenerateRequest): string {
  return `${system}\n\n${typeof prompt === 'string' ? prompt : JSON.stringify(prompt)}`;
}

/** Who is asked, by the prompt that its role has. */
export function voterOf(request: GenerateRequest): VoterName {
  const text = textOf(request);
  const found = voterNames.find((name) => text.includes(voters[name].prompt));
  if (!found) throw new Error(`no voter is asked this: ${text.slice(0, 100)}`);
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
