import { type ModelEndpoint, type ModelRequestSeen, modelEndpoint, type Reply } from '@nexus/testing';

/** Who is asked, by the prompt that each role has. */
export type Asked = 'planner' | 'expert' | 'reviewer' | 'writer';

/** One request to the team's model, as it reads. */
export interface AskedOnce {
  readonly asked: Asked;
  /** All of it, as text. */
  readonly text: string;
  /** How many of this kind came before, this one counted. */
  readonly count: number;
  /** The key that tells a repetition. */
  readonly key: string;
}

export type TeamScript = (request: AskedOnce) => Reply | undefined;

export interface ExpertTeam extends ModelEndpoint {
  /** Every request, oldest first. */
  readonly asked: readonly AskedOnce[];
  /** The environment of a project whose only models these are. */
  readonly env: Readonly<Record<string, string>>;
}

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

/** No model of this machine is found: not a program, not a key. */
export const NO_MODELS = { PATH: '/usr/bin:/bin' };

/**
 * Models on loopback that work as a team on {@link TWO_AND_ONE}, each answer told by what is asked alone, so that
 * a call that is made again is answered as before: the callers are looked up by a tool, the report is sent back
 * once. A script's own replies come before these.
 */
export async function expertTeam(script: TeamScript = () => undefined): Promise<ExpertTeam> {
  const asked: AskedOnce[] = [];
  const endpoint = await modelEndpoint((seen) => {
    const request = readRequest(seen, asked);
    asked.push(request);
    return script(request) ?? replyOf(request);
  });
  return Object.assign(endpoint, {
    asked,
    env: {
      ...NO_MODELS,
      ANTHROPIC_API_KEY: 'sk-ant-test',
      ANTHROPIC_BASE_URL: endpoint.url,
    },
  });
}

const STARTS: readonly (readonly [string, Asked])[] = [
  ['You plan the work of a team', 'planner'],
  ['You review what an expert answered', 'reviewer'],
  ['You write the answer to a request', 'writer'],
  ['You are one expert of a team', 'expert'],
];

function readRequest({ body, headers }: ModelRequestSeen, before: readonly AskedOnce[]): AskedOnce {
  const text = JSON.stringify(body);
  const asked = STARTS.find(([start]) => text.includes(start))?.[1];
  if (!asked) throw new Error(`nobody of the team is asked this: ${text.slice(0, 200)}`);
  const count = before.filter((each) => each.asked === asked).length + 1;
  return { asked, text, count, key: String(headers['idempotency-key']) };
}

/** Whether a tool has answered in this turn, in any wire format. */
export function hasToolResult({ text }: AskedOnce): boolean {
  return /"type":"tool_result"|"role":"tool"|"function_call_output"/.test(text);
}

export const answerIn = (value: unknown): Reply => ({ text: JSON.stringify(value) });

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
