import {
  defineRun,
  type GenerateRequest,
  type ModelBlock,
  type VoteCondition,
  type VoteConditionsInput,
  type VoteInput,
  type VoteOutput,
  vote,
  voteConditions,
} from '@nexus/plugin-sdk';
import { type ScriptedAnswer, scriptedModels } from '@nexus/testing';

/** Who of the dev pipeline is asked, by the prompt that each has. */
export type DevRole = 'researcher' | 'planner' | 'implementer' | 'reviewer';

const STARTS: readonly (readonly [string, DevRole])[] = [
  ['You find out how a software project', 'researcher'],
  ['You plan a change of a software project', 'planner'],
  ['You change a software project', 'implementer'],
  ['You judge a change of a software project', 'reviewer'],
];

export function roleOf({ system = '' }: GenerateRequest): DevRole {
  const role = STARTS.find(([start]) => system.startsWith(start))?.[1];
  if (!role) throw new Error(`nobody of the team is asked this: ${system.slice(0, 100)}`);
  return role;
}

/** The last message that the model got, as text. */
export function lastText({ prompt }: GenerateRequest): string {
  return typeof prompt === 'string' ? prompt : (prompt.at(-1)?.content ?? []).flatMap(textOf).join('\n');
}

/** What became of the tools that a model asked for before. */
export function resultsIn(request: GenerateRequest | undefined) {
  const prompt = request?.prompt ?? [];
  const last = typeof prompt === 'string' ? [] : (prompt.at(-1)?.content ?? []);
  return last.flatMap((block) =>
    block.type === 'tool_result' ? [{ isError: block.isError, text: textOf(block).join('\n') }] : [],
  );
}

function textOf(block: ModelBlock): string[] {
  if (block.type === 'text') return [block.text];
  return block.type === 'tool_result' ? block.content.flatMap((each) => textOf(each)) : [];
}

export const PLAN = {
  summary: 'The sum adds.',
  tasks: [{ title: 'Let sum add', description: 'sum.js subtracts; let it add.', files: ['sum.js'] }],
  risks: ['None.'],
  verification: 'The test passes.',
};

export const MEND = { name: 'edit_file', input: { path: 'sum.js', old: 'a - b', new: 'a + b' } };

export const use = (name: string, input: Readonly<Record<string, unknown>>) => ({ tools: [{ name, input }] });

/** A team that mends the sum, unless told otherwise. `count` is how often that role was asked. */
export function devTeam(
  also: Partial<
    Record<DevRole, (request: GenerateRequest, count: number) => ScriptedAnswer | undefined>
  > = {},
) {
  const counts = new Map<DevRole, number>();
  return scriptedModels((request) => {
    const role = roleOf(request);
    const count = (counts.get(role) ?? 0) + 1;
    counts.set(role, count);
    return also[role]?.(request, count) ?? DEFAULTS[role](request);
  });
}

const hasResult = ({ prompt }: GenerateRequest) =>
  typeof prompt !== 'string' &&
  prompt.some(({ content }) => content.some(({ type }) => type === 'tool_result'));

const DEFAULTS: Record<DevRole, (request: GenerateRequest) => ScriptedAnswer> = {
  researcher: () => 'sum.js:1 subtracts.',
  planner: () => ({ object: PLAN }),
  implementer: (request) => (hasResult(request) ? 'It adds now.' : { tools: [MEND] }),
  // That old tests asked for the fault is read only of a change that takes something back of them.
  reviewer: () => ({
    object: { passes: true, summary: 'It adds.', findings: [], oldTests: 'asked_for_the_fault' },
  }),
};

/** A vote in the place of the plugin that holds them: a ballot's decision by how many came before. */
export function scriptedVote(
  decide: (input: VoteInput, count: number) => VoteOutput['decision'] = () => 'approved',
  conditions: VoteOutput['conditions'] = [],
  missing: readonly string[] = [],
) {
  const held: VoteInput[] = [];
  const kind = defineRun({
    ...vote,
    run: (input: VoteInput, run) =>
      run.step('vote', (): VoteOutput => {
        held.push(input);
        const decision = decide(input, held.length);
        const ballot = {
          voter: 'security',
          model: 'scripted:model',
          decision: decision === 'approved' ? 'approve' : 'reject',
          confidence: 1,
          reasoning: `REASON-${held.length}`,
        };
        return {
          recordId: `vote_${held.length}`,
          decision,
          approval: decision === 'approved' ? 1 : 0,
          why: `It was ${decision}.`,
          summary: `The vote ${decision} it.`,
          votes: [ballot],
          dissent: [],
          conditions,
          objections: [],
          leftOut: [],
          ground: { references: [], missing },
          panelDiversity: { models: 1, voters: 1, vendors: 1, spread: [] },
          effectiveVotes: { basis: 'no record' },
        };
      }),
  });
  return Object.assign(kind, { held });
}

/** What checks the conditions of votes, in the place of the plugin that does: all to the same, one state a time. */
export function scriptedCheck(...states: readonly VoteCondition['state'][]) {
  const seen: VoteConditionsInput[] = [];
  const kind = defineRun({
    ...voteConditions,
    run: (input: VoteConditionsInput, run) =>
      run.step('check', () => {
        seen.push(input);
        const state = states[seen.length - 1] ?? states.at(-1) ?? 'unknown';
        const conditions = input.conditions.map((each) => ({ ...each, state, why: 'It was looked at.' }));
        const told = conditions.map(
          ({ text, by }) => `- **${state}**: ${text} (${by.join(', ')}). It was looked at.`,
        );
        return { conditions, summary: ['The vote, as it stands by now.', ...told].join('\n') };
      }),
  });
  return Object.assign(kind, { seen });
}
