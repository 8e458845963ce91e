import type { ModelMessage, ToolUse } from '@nexus/plugin-sdk';

/**
 * What a provider would refuse of a history: every tool use is answered in the next message, results first,
 * each once; no result stands without its use. Empty when it may be sent.
 */
export function historyFaults(messages: readonly ModelMessage[]): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  if (messages[0]?.role !== 'user') faults.push('the first message must be the user’s');
  if (messages.at(-1)?.role !== 'user') faults.push('the last message must be the user’s');
  for (const [index, message] of messages.entries()) {
    const at = `message ${index + 1}`;
    if (message.content.length === 0) faults.push(`${at} is empty`);
    const before = messages[index - 1];
    const wanted = new Set((before?.role === 'assistant' ? toolUses(before) : []).map(({ id }) => id));
    let afterResults = false;
    for (const block of message.content) {
      if (block.type === 'tool_result') {
        if (message.role !== 'user') faults.push(`${at} of the assistant has a tool result`);
        if (afterResults)
          faults.push(`${at}: the result of ${block.toolUseId} must stand before other content`);
        if (!wanted.delete(block.toolUseId))
          faults.push(`${at}: the result of ${block.toolUseId} answers no tool use of the message before`);
        continue;
      }
      afterResults = true;
      if (block.type !== 'tool_use') continue;
      if (message.role !== 'assistant') faults.push(`${at} of the user has a tool use`);
      if (seen.has(block.id)) faults.push(`${at}: the id ${block.id} is used twice`);
      seen.add(block.id);
    }
    for (const id of wanted) faults.push(`${at} does not answer the tool use ${id}`);
  }
  return faults;
}

export function toolUses(message: ModelMessage): ToolUse[] {
  return message.content.filter((block) => block.type === 'tool_use');
}

/** A text is one message of the user. */
export function toMessages(prompt: string | readonly ModelMessage[]): readonly ModelMessage[] {
  return typeof prompt === 'string' ? [{ role: 'user', content: [{ type: 'text', text: prompt }] }] : prompt;
}
