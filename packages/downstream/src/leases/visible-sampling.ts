import { isRecord } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { visibleText } from '@nexus/untrusted/shown';

/** What a server would have a model told, as the person who is asked about it gets to see it, whose words it is first. */
export function visibleSampling(params: Members, who: string): Members {
  const { systemPrompt, messages } = params;
  const own = typeof systemPrompt === 'string' ? `, in its own words:\n\n${visibleText(systemPrompt)}` : '.';
  return {
    ...params,
    systemPrompt: `The MCP server ${who} asks this${own}`,
    ...(Array.isArray(messages) ? { messages: messages.map(visibleContent) } : {}),
  };
}

/** Of a message or a tool's result: one block or several. */
function visibleContent(holder: unknown): unknown {
  if (!isRecord(holder)) return holder;
  const { content } = holder;
  if (Array.isArray(content)) return { ...holder, content: content.map(visibleBlock) };
  return content === undefined ? holder : { ...holder, content: visibleBlock(content) };
}

function visibleBlock(block: unknown): unknown {
  if (!isRecord(block)) return block;
  const { type, text } = block;
  if (type === 'text' && typeof text === 'string') return { ...block, text: visibleText(text) };
  return type === 'tool_result' ? visibleContent(block) : block;
}
