import type { Reply } from '@nexus/testing';
import {
  type AskedOnce as AskedOf,
  type AskedTeam,
  answerIn,
  askedTeam,
  hasToolResult,
  NO_MODELS,
} from './asked-team.ts';

/** Who is asked, by the prompt that each role has. */
export type Asked = 'planner' | 'expert' | 'reviewer' | 'writer';

export type AskedOnce = AskedOf<Asked>;

export type TeamScript = (request: AskedOnce) => Reply | undefined;

export type ExpertTeam = AskedTeam<Asked>;

export { answerIn, hasToolResult, NO_MODELS };

/** Two steps that don't need each other, and one that needs both. */
export const TWO_AND_ONE = {
  steps: [
    { id: 'callers', expert: 'code', title: 'Find callers', task: 'FIND-CALLERS of login.' },
    { id: 'threats', expert: 'security', title: 'Find threats', task: 'FIND-THREATS to login.' },
    {
      id: 'report',
      expert: 'documentation',
      title: 'Write it up',
      task: 'WRITE-REPORT of both.',
      needs: ['callers', 'threats'],
    },
  ],
};

/**
 * Models on loopback that work as a team on {@link TWO_AND_ONE}, each answer told by what is asked alone, so that
 * a call that is made again is answered as before: the callers are looked up by a tool, the report is sent back
 * once. A script's own replies come before these.
 */
export function expertTeam(script: TeamScript = () => undefined): Promise<ExpertTeam> {
  return askedTeam(STARTS, (request) => script(request) ?? replyOf(request));
}

const STARTS: readonly (readonly [string, Asked])[] = [
  ['You plan the work of a team', 'planner'],
  ['You review what an expert answered', 'reviewer'],
  ['You write the answer to a request', 'writer'],
  ['You are one expert of a team', 'expert'],
];

function replyOf(request: AskedOnce): Reply {
  const { asked, text } = request;
  switch (asked) {
    case 'planner':
      return answerIn(TWO_AND_ONE);
    case 'reviewer': {
      const passes = !text.includes('FIRST-DRAFT');
      return answerIn({ passes, feedback: passes ? '' : 'NAME-THE-FILES' });
    }
    case 'writer':
      return answerIn({ summary: 'Login is **safe**.', recommendations: ['Keep it so.'] });
    case 'expert':
      return expertReply(request);
  }
}

function expertReply(request: AskedOnce): Reply {
  const { text } = request;
  if (text.includes('WRITE-REPORT'))
    return { text: text.includes('NAME-THE-FILES') ? 'SECOND-DRAFT' : 'FIRST-DRAFT' };
  if (text.includes('FIND-THREATS')) return { text: 'THREATS-FOUND' };
  if (hasToolResult(request)) return { text: 'CALLERS-FOUND', usage: { input: 41, output: 17 } };
  return { text: 'I look.', tools: [{ name: 'search_codebase', input: { query: 'login' } }] };
}

/** On a terminal: the step of that title has come to where it asks its model. @param ran how long it has, as shown */
export const atItsModel = (title: string, ran = '[\\d.]+ s') =>
  new RegExp(`${title}(?:: |(?: ${ran})?[^…]*▶ )asks the model`);
