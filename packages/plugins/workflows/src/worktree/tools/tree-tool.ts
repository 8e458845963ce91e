import { type ConversationTool, type Programs, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { keepWork } from '../commits.ts';
import type { Place } from '../place.ts';
import { type Holder, openWorktree } from '../worktree.ts';

/** Where the tools of one conversation work. */
export interface TreeWork {
  readonly place: Place;
  readonly holder: Omit<Holder, 'signal'>;
  readonly programs: Programs;
  /** What the conversation is to do, for the commits. */
  readonly title: string;
}

/** A tool that is bound to one worktree. */
export interface TreeTool extends ConversationTool {
  /** Whether a call may be made again where nobody knows what became of the first. */
  readonly isRepeatable: boolean;
}

interface TreeToolDefinition<Input extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly isReadOnly: boolean;
  readonly isRepeatable: boolean;
  /** What it tells the model. */
  run(input: z.output<Input>, place: Place, signal: AbortSignal): Promise<string>;
}

/** Whatever writes is on the branch before the model is told so. */
export function treeTool<Input extends z.ZodObject>(
  { input: schema, run, ...tool }: TreeToolDefinition<Input>,
  { place, holder, title }: TreeWork,
): TreeTool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(schema, { io: 'input' });
  return {
    ...tool,
    inputSchema,
    async call(given, { signal }) {
      const input = schema.safeParse(given);
      if (!input.success) throw new ToolError('NEXUS_INVALID_ARGUMENTS', z.prettifyError(input.error));
      await openWorktree(place, { ...holder, signal });
      const text = await run(input.data, place, signal);
      if (!tool.isReadOnly) await keepWork(place, { title, runId: holder.runId, signal });
      return { content: [{ type: 'text', text }] };
    },
  };
}

export const path = z.string().min(1).max(1_000).describe('From the top of the worktree, such as src/a.ts.');
