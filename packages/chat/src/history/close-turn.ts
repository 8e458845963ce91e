import { failedResult, toolUses } from '@nexus/conversation';
import type { ModelMessage } from '@nexus/plugin-sdk';
import { turnGroups } from './turn-groups.ts';

/**
 * A history whose last turn ended early, so that it may be carried on: a turn that came to nothing leaves no trace;
 * one that did something has every call answered, and is closed by a word of its own.
 */
export function closeTurn(messages: readonly ModelMessage[], reason: string): ModelMessage[] {
  const last = messages.at(-1);
  if (last === undefined) return [];
  if ((turnGroups(messages).at(-1)?.length ?? 0) < 2) return messages.slice(0, -1);
  const open = last.role === 'assistant' ? toolUses(last) : [];
  if (last.role === 'assistant' && open.length === 0) return [...messages];
  const told = `Not known whether it was done: ${reason}.`;
  return [
    ...messages,
    ...(open.length > 0
      ? [{ role: 'user' as const, content: open.map((use) => failedResult(use, told)) }]
      : []),
    { role: 'assistant', content: [{ type: 'text', text: `(This turn ended early: ${reason})` }] },
  ];
}
