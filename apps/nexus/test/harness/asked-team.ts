import { type ModelEndpoint, type ModelRequestSeen, modelEndpoint, type Reply } from '@nexus/testing';

/** One request to a team's model, as it reads. */
export interface AskedOnce<Asked extends string = string> {
  readonly asked: Asked;
  /** All of it, as text. */
  readonly text: string;
  /** How many of this kind came before, this one counted. */
  readonly count: number;
  /** The key that tells a repetition. */
  readonly key: string;
}

export interface AskedTeam<Asked extends string = string> extends ModelEndpoint {
  /** Every request, oldest first. */
  readonly asked: readonly AskedOnce<Asked>[];
  /** The environment of a project whose only models these are. */
  readonly env: Readonly<Record<string, string>>;
}

/** No model of this machine is found: not a program, not a key. */
export const NO_MODELS = { PATH: '/usr/bin:/bin' };

/**
 * Models on loopback that are known by what each role's prompt holds, and answer by what is asked alone, so that a
 * call that is made again is answered as before.
 */
export async function askedTeam<Asked extends string>(
  starts: readonly (readonly [start: string, asked: Asked])[],
  reply: (request: AskedOnce<Asked>) => Reply,
): Promise<AskedTeam<Asked>> {
  const asked: AskedOnce<Asked>[] = [];
  const read = ({ body, headers }: ModelRequestSeen): AskedOnce<Asked> => {
    const text = JSON.stringify(body);
    const who = starts.find(([start]) => text.includes(start))?.[1];
    if (!who) throw new Error(`nobody of the team is asked this: ${text.slice(0, 200)}`);
    const count = asked.filter((each) => each.asked === who).length + 1;
    return { asked: who, text, count, key: String(headers['idempotency-key']) };
  };
  const endpoint = await modelEndpoint((seen) => {
    const request = read(seen);
    asked.push(request);
    return reply(request);
  });
  const env = { ...NO_MODELS, ANTHROPIC_API_KEY: 'sk-ant-test', ANTHROPIC_BASE_URL: endpoint.url };
  return Object.assign(endpoint, { asked, env });
}

/** Whether a tool has answered in this turn, in any wire format. */
export function hasToolResult({ text }: AskedOnce): boolean {
  return /"type":"tool_result"|"role":"tool"|"function_call_output"/.test(text);
}

export const answerIn = (value: unknown): Reply => ({ text: JSON.stringify(value) });
