import type { ModelMessage } from '@nexus/plugin-sdk';
import { RUN_COMMAND } from '../worktree/tools/run-command.ts';

/** How each command ended that was run in a conversation, by what came of the calls and by no word of a model. */
export function ranIn(messages: readonly ModelMessage[]): readonly string[] {
  const blocks = messages.flatMap(({ content }) => content);
  const asked = new Map(
    blocks.flatMap((block) =>
      block.type === 'tool_use' && block.name === RUN_COMMAND
        ? [[block.id, String(block.input.name)] as const]
        : [],
    ),
  );
  return blocks.flatMap((block) => {
    const name = block.type === 'tool_result' && !block.isError ? asked.get(block.toolUseId) : undefined;
    if (block.type !== 'tool_result' || name === undefined) return [];
    const text = block.content.flatMap((each) => (each.type === 'text' ? [each.text] : [])).join('\n');
    // Its first line is Nexus's own; what the command printed stands below.
    return text.split('\n').find((line) => line.startsWith(`${name}: `)) ?? [];
  });
}

/** A line of its own beside what whoever did it says; empty where it is not known. */
export function ranText(ran: readonly string[] | undefined): string {
  if (ran === undefined) return '';
  return ran.length === 0
    ? 'Nothing was run by whoever did it.'
    : `Run by whoever did it: ${ran.join('; ')}.`;
}
