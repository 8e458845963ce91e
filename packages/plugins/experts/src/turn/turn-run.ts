import { defineRun, type ModelUsage, type RunContext, ToolError } from '@nexus/plugin-sdk';
import { type RoleName, roleOf } from '../roles/roles.ts';
import type { ExpertsState } from '../state.ts';
import { durableSteps } from './durable-steps.ts';
import { expertTools } from './expert-tools.ts';
import { modelCaller } from './model-caller.ts';
import { type Assignment, systemPrompt, taskPrompt } from './prompts.ts';

/** One expert at work on one task; plain JSON. */
export interface TurnInput {
  readonly role: RoleName;
  readonly model?: string;
  readonly instructions?: string;
  readonly assignment: Assignment;
  readonly maxSteps: number;
}

export interface TurnOutput {
  readonly output: string;
  readonly toolCalls: readonly { readonly name: string; readonly isError: boolean }[];
  readonly usage: ModelUsage;
  readonly model: string;
  readonly durationMs: number;
  /** Why it stopped, where it did not end by its own answer. */
  readonly stopped?: string;
}

/** A turn is a run of its own: killed anywhere, it goes on with the model and tool calls that are done. */
export const turnRun = defineRun({
  name: 'experts.turn',
  version: 1,
  async run(input: TurnInput, run: RunContext<ExpertsState>): Promise<TurnOutput> {
    const { role, model, instructions, assignment, maxSteps } = input;
    const startedAt = await run.now('started');
    const tools = await run.step('tools', (step) => expertTools(step.tools, run.state.options), {
      title: 'finds its tools',
    });
    const conversation = await run.host.models.converse(
      {
        system: systemPrompt(roleOf(role), instructions),
        prompt: taskPrompt(assignment),
        category: roleOf(role).category,
        maxSteps,
        ...(model === undefined ? {} : { model }),
        tools: tools.map((tool) => ({
          ...tool,
          call(input, step) {
            if (!step.tools) throw new ToolError('NEXUS_UNAVAILABLE', `${tool.name} can't be called here.`);
            return step.tools.call(tool.name, { arguments: input });
          },
        })),
        // Only tools that the config allows are among them at all.
        approve: async () => ({ isGiven: true }),
        steps: durableSteps(run, tools),
        onEvent(event) {
          if (event.type === 'tool_use') run.progress(`${role} uses ${event.use.name}`);
        },
      },
      modelCaller(run),
    );
    const { text, toolCalls, usage, endedBy } = conversation;
    const stopped = STOPPED[endedBy](maxSteps);
    return {
      output: text,
      toolCalls: [...toolCalls],
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
