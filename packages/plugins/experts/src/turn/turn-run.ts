import {
  aboutProject,
  defineRun,
  durableSteps,
  type ExpertTurnInput,
  type ExpertTurnOutput,
  expertTurn,
  type RunContext,
  ToolError,
} from '@nexus/plugin-sdk';
import { roleOf } from '../roles/roles.ts';
import type { ExpertsState } from '../state.ts';
import { assertStillMeant, expertTools } from './expert-tools.ts';
import { systemPrompt, taskPrompt } from './prompts.ts';
import { referencesIn } from './references.ts';

/** A turn is a run of its own: killed anywhere, it goes on with the model and tool calls that are done. */
export const turnRun = defineRun({
  ...expertTurn,
  async run(input: ExpertTurnInput, run: RunContext<ExpertsState>): Promise<ExpertTurnOutput> {
    const { role, model, instructions, assignment } = input;
    const startedAt = await run.now('started');
    // No step: what is done is done under any limit, and a run that goes on does so under today's.
    const maxSteps = input.maxSteps ?? run.state.options.maxSteps;
    const tools = await run.step('tools', (step) => expertTools(step.tools, run.state.options), {
      title: 'finds its tools',
    });
    const repeatable = new Map(tools.map(({ name, isRepeatable }) => [name, isRepeatable]));
    const conversation = await run.host.models.converse(
      {
        system: await aboutProject(run.host, systemPrompt(roleOf(role), instructions)),
        prompt: taskPrompt(assignment, { writes: tools.some(({ isReadOnly }) => !isReadOnly) }),
        category: roleOf(role).category,
        maxSteps,
        ...(model === undefined ? {} : { model }),
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
        steps: durableSteps(run, { isRepeatable: (name) => repeatable.get(name) ?? false }),
        onTurn(event) {
          if (event.type === 'tool_use') run.progress(`${role} uses ${event.use.name}`);
        },
      },
      run,
    );
    const { text, toolCalls, usage, endedBy } = conversation;
    const stopped = STOPPED[endedBy](maxSteps);
    return {
      output: text,
      toolCalls: [...toolCalls],
      references: referencesIn(conversation.messages),
      usage,
      model: conversation.model,
      durationMs: (await run.now('ended')) - startedAt,
      ...(stopped === undefined ? {} : { stopped }),
    };
  },
});

const STOPPED = {
  answer: () => undefined,
  steps: (maxSteps: number) => `stopped after ${maxSteps} model calls (experts.maxSteps)`,
  repetition: () => 'stopped, since it repeated the same call after it was told',
} as const satisfies Record<string, (maxSteps: number) => string | undefined>;
