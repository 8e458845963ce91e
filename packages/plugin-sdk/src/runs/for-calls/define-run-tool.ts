import type { z } from 'zod';
import type { CallContext } from '../../context.ts';
import type { ToolDefinition } from '../../tool.ts';
import { ToolError } from '../../tool-error.ts';
import { followRun } from './follow-run.ts';
import { runOfCall } from './run-of-call.ts';
import { runText } from './run-text.ts';
import type { PlainRunTool, PreparedRunTool } from './run-tool.ts';
import { tookMsOf } from './took.ts';

/**
 * Types a tool that is a run: on record before it begins, gone on with after a crash, and found again by whoever
 * comes with its key. One object says all of it; what is the same for every such tool is done here. The plugin
 * lists it among its tools, and nothing under `runs`.
 *
 * A call comes to its run in this order: the one that it resumes (`context.resumes`); the one that stands under its
 * key; a new one. Then it waits, shows its client how the run goes, and answers what it came to, with `runId` and `usage`.
 */
export function defineRunTool<State, Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: PlainRunTool<State, Input, Output>,
): ToolDefinition<State, Input, Output>;
export function defineRunTool<
  State,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  RunInput,
  RunOutput,
>(tool: PreparedRunTool<State, Input, Output, RunInput, RunOutput>): ToolDefinition<State, Input, Output>;
export function defineRunTool<
  State,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  RunInput,
  RunOutput,
>(
  tool: PlainRunTool<State, Input, Output> | PreparedRunTool<State, Input, Output, RunInput, RunOutput>,
): ToolDefinition<State, Input, Output> {
  return 'kind' in tool ? toolOf(tool) : toolOf(prepared(tool));
}

/** The arguments are the run's input, and what it comes to is the answer. */
function prepared<State, Input extends z.ZodObject, Output extends z.ZodObject>({
  version,
  place,
  run,
  titleOf,
  ...tool
}: PlainRunTool<State, Input, Output>): PreparedRunTool<
  State,
  Input,
  Output,
  z.output<Input>,
  z.input<Output>
> {
  const begin = (input: z.output<Input>) => ({ input, title: titleOf?.(input) ?? tool.title });
  return {
    ...tool,
    kind: { name: tool.name, version, place, run, anew: (input) => begin(held(tool, input)) },
    prepare: begin,
    answer: (output) => output,
  };
}

function held<Input extends z.ZodObject>(
  { name, input }: { readonly name: string; readonly input: Input },
  given: unknown,
): z.output<Input> {
  const { data, error } = input.safeParse(given);
  if (data !== undefined) return data;
  const faults = error?.issues.map(({ path, message }) => `- ${path.map(String).join('.')}: ${message}`);
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', `The input of ${name} does not fit:\n${faults?.join('\n')}`);
}

function toolOf<State, Input extends z.ZodObject, Output extends z.ZodObject, RunInput, RunOutput>(
  tool: PreparedRunTool<State, Input, Output, RunInput, RunOutput>,
): ToolDefinition<State, Input, Output> {
  const { kind, needs: _, cap: __, prepare: ___, answer, text, ...listed } = tool;
  return {
    ...listed,
    text: (said: z.output<Output>) => runText(text ? text(said) : JSON.stringify(ownOf(said)), said),
    isLong: true,
    isResumable: true,
    run: kind,
    async call(input: z.output<Input>, call: CallContext<State>) {
      const found = await runOfCall(tool, input, call);
      if ('answer' in found) return found.answer;
      call.answeredBy(found.run.id);
      const run = await followRun(found.run, call);
      const { user, host } = call;
      const detail = () => host.runs.get(run.id, { user });
      const said = await answer(run.output as RunOutput, { run, input, call, detail }); // of the tool's own kind
      // From the ledger, where every paid call is, also of what came to nothing.
      return { ...said, runId: run.id, usage: run.usage, tookMs: tookMsOf(run) };
    },
  };
}

/** Without what every run adds, which its text says in words. */
function ownOf(said: object): object {
  const { runId: _, usage: __, tookMs: ___, ...own } = said as Record<string, unknown>;
  return own;
}
