import {
  aboutProject,
  addUsage,
  basisOf,
  type Conversation,
  defineRun,
  durableSteps,
  type ExpertTurnInput,
  type ExpertTurnOutput,
  expertTurn,
  lookUpNames,
  missingText,
  type NamesLookedUp,
  type RunContext,
  ToolError,
} from '@nexus/plugin-sdk';
import { markClaimsToHaveRun } from '@nexus/plugin-sdk/evidence';
import { type ExpertRole, expertRoles, roleOf } from '../roles/roles.ts';
import type { ExpertsState } from '../state.ts';
import { assertStillMeant, type ExpertTool, expertTools } from './expert-tools.ts';
import { inventedOf } from './invented.ts';
import { ALL_EXPERTS, turnPrompt } from './prompts.ts';
import { referencesIn } from './references.ts';
import { type ShownFile, shownFiles, shownReference } from './shown-files.ts';

/** As its `choices` hold it. */
export interface TurnInput extends ExpertTurnInput {
  readonly role: ExpertRole;
  /** As it was named by whoever asked for it; absent where nobody did. */
  readonly expertId?: string;
}

/** A turn is a run of its own: killed anywhere, it goes on with the model and tool calls that are done. */
export const turnRun = inVersion(4);

/** As turns on record go on that were begun before files were shown, and before answers were looked up. */
export const turnRunsBefore = [inVersion(2), inVersion(1)];

type Told = Pick<Conversation, 'messages' | 'toolCalls' | 'usage' | 'model' | 'text' | 'endedBy'>;

function inVersion(version: 1 | 2 | 4) {
  return defineRun({
    ...expertTurn,
    version,
    choices: { role: expertRoles },
    async run(input: TurnInput, run: RunContext<ExpertsState>): Promise<ExpertTurnOutput> {
      const startedAt = await run.now('started');
      // No step: what is done is done under any limit, and a run that goes on does so under today's.
      const maxSteps = input.maxSteps ?? run.state.options.maxSteps;
      const tools = await run.step(
        'tools',
        (step) => expertTools(step.tools, run.state.options, roleOf(input.role)),
        {
          title: 'finds its tools',
        },
      );
      const ofOrigin = (tool: string) => tools.find(({ origin }) => origin === tool);
      const read = version > 2 ? ofOrigin('read_file') : undefined;
      const outline = ofOrigin('extract_symbols');
      const files = read ? await shownFiles(input.assignment, run, { read, outline }) : [];
      const converse = await converser(input, run, { maxSteps, tools, files });
      const first = await converse({});
      const { told, named } =
        version === 1
          ? { told: first, named: undefined }
          : await lookedUp(first, { converse, run, role: input.role });
      const stopped = STOPPED[told.endedBy](maxSteps);
      const references = [...files.map(shownReference), ...referencesIn(told.messages)];
      return {
        output: markClaimsToHaveRun(named?.marked ?? told.text, told.toolCalls, factsOf(input.assignment)),
        ...(named && { missing: named.missing, basis: basisOf(inventedOf(named, input.role), references) }),
        toolCalls: [...told.toolCalls],
        references,
        usage: told.usage,
        model: told.model,
        durationMs: (await run.now('ended')) - startedAt,
        ...(stopped === undefined ? {} : { stopped }),
      };
    },
  });
}

/** What an expert is given beside its task. */
function factsOf({ context = {}, earlier = [] }: ExpertTurnInput['assignment']): string {
  const facts = Object.values(context).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value, null, 1),
  );
  return [...facts, ...earlier.map(({ text }) => text)].join('\n');
}

type Converse = (after: { readonly told?: Told; readonly words?: string }) => Promise<Told>;

/** What an expert has when its turn begins. */
interface Given {
  readonly maxSteps: number;
  readonly tools: readonly ExpertTool[];
  readonly files: readonly ShownFile[];
}

/** A conversation with the expert's tools, and what is said to it after that in the same one. */
async function converser(
  { role, model, instructions, assignment }: TurnInput,
  run: RunContext<ExpertsState>,
  { maxSteps, tools, files }: Given,
): Promise<Converse> {
  const repeatable = new Map(tools.map(({ name, isRepeatable }) => [name, isRepeatable]));
  const system = await aboutProject(run.host, ALL_EXPERTS);
  const writes = tools.some(({ isReadOnly }) => !isReadOnly);
  return async ({ told, words = '' }) => {
    const chosen = told?.model ?? model;
    return run.host.models.converse(
      {
        system,
        prompt: told
          ? [...told.messages, { role: 'user', content: [{ type: 'text', text: words }] }]
          : turnPrompt({ role: roleOf(role), instructions, assignment, files, writes }),
        category: roleOf(role).category,
        maxSteps,
        ...(chosen === undefined ? {} : { model: chosen }),
        tools: tools.map((tool) => ({
          ...tool,
          call(input, step) {
            if (!step.tools) throw new ToolError('NEXUS_UNAVAILABLE', `${tool.name} can't be called here.`);
            assertStillMeant(step.tools, tool);
            return step.tools.call(tool.name, { arguments: input });
          },
        })),
        // Only tools that the config allows are among them at all.
        approve: async () => ({ isGiven: true }),
        steps: durableSteps(run, {
          isRepeatable: (name) => repeatable.get(name) ?? false,
          ...(told && { prefix: 'again ' }),
        }),
        onTurn(event) {
          if (event.type === 'tool_use') run.progress(`${role} uses ${event.use.name}`);
        },
      },
      run,
    );
  };
}

/** What the answer names; one that names what can't be there goes back to its author once. */
async function lookedUp(
  first: Told,
  {
    converse,
    run,
    role,
  }: { readonly converse: Converse; readonly run: RunContext<ExpertsState>; readonly role: ExpertRole },
): Promise<{ readonly told: Told; readonly named: NamesLookedUp }> {
  const named = await lookUpNames(run, 'names', first.text);
  const { missing } = inventedOf(named, role);
  if (missing.length === 0 || first.endedBy !== 'answer') return { told: first, named };
  const words = `${missingText(missing)} Answer again, the whole of it.`;
  const second = await converse({ told: first, words });
  const told = {
    ...second,
    toolCalls: [...first.toolCalls, ...second.toolCalls],
    usage: addUsage(first.usage, second.usage),
  };
  return { told, named: await lookUpNames(run, 'names again', told.text) };
}

const STOPPED = {
  answer: () => undefined,
  steps: (maxSteps: number) => `stopped after ${maxSteps} model calls (experts.maxSteps)`,
  repetition: () => 'stopped, since it repeated the same call after it was told',
} as const satisfies Record<string, (maxSteps: number) => string | undefined>;
