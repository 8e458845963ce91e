import type { RunContext } from '../runs/run-context.ts';
import { ToolError } from '../tool-error.ts';
import type { ConversationTool } from './converse.ts';
import type { ModelTool } from './generate.ts';

/**
 * Nexus's own tools by which whoever works on a project, or judges such work, reads it: the same for experts,
 * planners, reviewers, voters and the chat. Each is read-only and stays on this machine.
 */
export const READING_KIT = [
  'read_file',
  'list_files',
  'search_codebase',
  'extract_symbols',
  'search_usages',
  'git_history',
] as const satisfies readonly string[];

/**
 * The kit as the caller of a run has it, bound to the steps that call it; none where it has none. One step, whose
 * record keeps the tools as they are told of, so that they stay the same however often the run is taken up.
 */
export async function readingTools(
  run: Pick<RunContext, 'step'>,
  name = 'reading kit',
): Promise<readonly ConversationTool[]> {
  const tools = await run.step(
    name,
    (step) =>
      step.tools
        .list()
        .filter((tool) => (READING_KIT as readonly string[]).includes(tool.name))
        .map(({ name, description, inputSchema }): ModelTool => ({ name, description, inputSchema })),
    { title: 'finds what it may read with' },
  );
  return tools.map((tool) => ({
    ...tool,
    isReadOnly: true,
    call(input, step) {
      if (!step.tools) throw new ToolError('NEXUS_UNAVAILABLE', `${tool.name} can't be called here.`);
      return step.tools.call(tool.name, { arguments: input });
    },
  }));
}
