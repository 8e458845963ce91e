import { type ModelEndpoint, type ModelRequestSeen, modelEndpoint, type Reply } from '@nexus/testing';
import { NO_MODELS } from './expert-team.ts';

/** Voters, by how the prompt of each begins. */
const VOTERS = {
  architect: 'You judge structure',
  security: 'You judge safety',
  devex: 'You judge what it is like to work with',
  ai_ml: 'You judge data and models',
  pm: 'You judge use',
  catfish: 'You look for what speaks against this',
  scope_steward: 'You judge scope',
} as const;

export type Voter = keyof typeof VOTERS;

const allVoters = Object.keys(VOTERS) as readonly Voter[];

export interface AskedVoter {
  readonly voter: Voter;
  readonly text: string;
  /** How often this voter was asked, this time counted. */
  readonly count: number;
  /** The key that tells a repetition. */
  readonly key: string;
}

export interface VotePanel extends AsyncDisposable {
  readonly asked: readonly AskedVoter[];
  readonly endpoints: readonly ModelEndpoint[];
  /** The environment of a project whose only models these are. */
  readonly env: Readonly<Record<string, string>>;
}

/** One model of each of two vendors. */
export const TWO_MODELS = ['anthropic:claude-sonnet-5-5', 'openai:gpt-6.1-sol'];

const ballotOf = (voter: Voter, decision: string): Reply => ({
  text: JSON.stringify({ reasoning: `${voter} says ${decision}.`, decision, confidence: 0.8 }),
});

/** Two vendors on loopback whose models vote, all to approve but for the catfish, unless the script replies first. */
export async function votePanel(
  script: (asked: AskedVoter) => Reply | undefined = () => undefined,
): Promise<VotePanel> {
  const asked: AskedVoter[] = [];
  const answer = (seen: ModelRequestSeen): Reply => {
    const text = JSON.stringify(seen.body);
    const voter = allVoters.find((name) => text.includes(VOTERS[name]));
    if (!voter) throw new Error(`no voter is asked this: ${text.slice(0, 200)}`);
    const count = asked.filter((each) => each.voter === voter).length + 1;
    const request = { voter, text, count, key: String(seen.headers['idempotency-key']) };
    asked.push(request);
    return script(request) ?? ballotOf(voter, voter === 'catfish' ? 'reject' : 'approve');
  };
  const endpoints = [await modelEndpoint(answer), await modelEndpoint(answer)];
  const [anthropic, openai] = endpoints;
  return {
    asked,
    endpoints,
    env: {
      ...NO_MODELS,
      ANTHROPIC_API_KEY: 'sk-ant-test',
      ANTHROPIC_BASE_URL: anthropic?.url ?? '',
      OPENAI_API_KEY: 'sk-test',
      OPENAI_BASE_URL: openai?.url ?? '',
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(endpoints.map((each) => each[Symbol.asyncDispose]()));
    },
  };
}
