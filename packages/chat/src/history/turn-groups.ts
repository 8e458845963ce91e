import type { ModelMessage } from '@nexus/plugin-sdk';

/**
 * The history in exchanges: what the user said, and all that came of it up to what they said next. Within one,
 * every tool use has its result, so a history may be cut between exchanges and nowhere else.
 */
export function turnGroups(messages: readonly ModelMessage[]): ModelMessage[][] {
  const groups: ModelMessage[][] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    if (last && !isPrompt(message)) last.push(message);
    else groups.push([message]);
  }
  return groups;
}

/** What the user said, and not the results of tools. */
function isPrompt({ role, content }: ModelMessage): boolean {
  return role === 'user' && content[0]?.type !== 'tool_result';
}
