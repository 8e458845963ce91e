import { failedResult, toolUses } from '@nexus/conversation';
import type { ModelMessage, ToolUse } from '@nexus/plugin-sdk';
import type { CallState } from '../sessions/chat-session.ts';
import { turnGroups } from './turn-groups.ts';

type Calls = Readonly<Record<string, CallState>>;

/**
 * A history whose last turn ended early, so that it may be carried on: a turn that came to nothing leaves no trace;
 * one that did something has every call answered, and is closed by a word of its own.
 * @param calls which of its last calls were made; without it, nobody knows
 */
export function closeTurn(messages: readonly ModelMessage[], reason: string, calls?: Calls): ModelMessage[] {
  const last = messages.at(-1);
  if (last === undefined) return [];
  if ((turnGroups(messages).at(-1)?.length ?? 0) < 2) return messages.slice(0, -1);
  const open = openUses(messages);
  if (last.role === 'assistant' && open.length === 0) return [...messages];
  return [
    ...messages,
    ...(open.length > 0
      ? [
          {
            role: 'user' as const,
            content: open.map((use) => failedResult(use, `${whatCameOf(use, calls)}: ${reason}.`)),
          },
        ]
      : []),
    { role: 'assistant', content: [{ type: 'text', text: `(This turn ended early: ${reason})` }] },
  ];
}

/** The calls of a turn that ended early which were made, and whose end nobody saw. */
export function unseenCalls(messages: readonly ModelMessage[], calls?: Calls): ToolUse[] {
  return openUses(messages).filter(({ id }) => calls === undefined || calls[id] === 'made');
}

function openUses(messages: readonly ModelMessage[]): ToolUse[] {
  const last = messages.at(-1);
  return last?.role === 'assistant' ? toolUses(last) : [];
}

function whatCameOf({ id }: ToolUse, calls: Calls | undefined): string {
  if (calls === undefined || calls[id] === 'made') return 'Not known whether it was done';
  return calls[id] === 'answered' ? 'It was called, and what it answered is lost' : 'Not called';
}
