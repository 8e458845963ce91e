import type { ModelMessage, ToolResult, ToolUse } from './message.ts';

/** A call of a tool in a history, with what the model got for it. */
export interface AnsweredUse {
  readonly use: Pick<ToolUse, 'name' | 'input'>;
  readonly result: ToolResult;
}

/** The calls of tools that a history holds with their answers, in their order. */
export function answeredUsesIn(messages: readonly ModelMessage[]): AnsweredUse[] {
  const blocks = messages.flatMap(({ content }) => content);
  const results = new Map(
    blocks.flatMap((block) => (block.type === 'tool_result' ? [[block.toolUseId, block] as const] : [])),
  );
  return blocks.flatMap((block) => {
    const result = block.type === 'tool_use' ? results.get(block.id) : undefined;
    return block.type === 'tool_use' && result ? [{ use: block, result }] : [];
  });
}
