import { LABEL_META_KEY, type Label, type ToolCallResult } from '@nexus/plugin-sdk';
import type { ChatSession } from '../sessions/chat-session.ts';
import type { ServerTool } from './chat-server.ts';

/** The tool, whose answers are remembered for what they are: by their label, or taken for the worst. */
export function labelling(tool: ServerTool, session: ChatSession): ServerTool {
  return {
    ...tool,
    async call(input, context) {
      const result = await tool.call(input, context);
      const { trust, privacy } = labelOf(result, tool);
      session.knows ??= {};
      const { knows } = session;
      if (trust === 'untrusted') knows.untrusted ??= tool.name;
      if (privacy === 'private') knows.private ??= tool.name;
      return result;
    },
  };
}

/** Another server's own label counts for nothing; what it has without reaching out is of this machine. */
function labelOf({ _meta }: ToolCallResult, { isOwn, reachesOut }: ServerTool): Label {
  const label = isOwn ? (_meta?.[LABEL_META_KEY] as Label | undefined) : undefined;
  return label ?? { trust: 'untrusted', privacy: reachesOut ? 'public' : 'private' };
}

/** Why a person is asked about each call of this tool now, whatever was allowed for good. */
export function needsYes(tool: ServerTool, { knows = {} }: ChatSession): boolean {
  return tool.reachesOut && knows.untrusted !== undefined && knows.private !== undefined;
}
