import type { SearchTools } from '@nexus/chat';
import { hitList } from '@nexus/plugin-toolboxes/answers';
import { rankTools } from '@nexus/plugin-toolboxes/ranking';

/** As find_tools of the toolboxes searches and answers, by the names that the tools have in the chat. */
export const searchTools: SearchTools = async (tools) => {
  const ranking = await rankTools(
    tools.map(({ name, server, description, inputSchema, isReadOnly, reachesOut }) => ({
      toolbox: server,
      server,
      tool: name,
      registeredName: name,
      definition: { description, inputSchema, annotations: { readOnlyHint: isReadOnly } },
      hints: {
        readOnlyHint: isReadOnly,
        destructiveHint: !isReadOnly,
        idempotentHint: isReadOnly,
        openWorldHint: reachesOut,
      },
    })),
  );
  return (queries, limit) => {
    const { hits } = hitList(ranking.search({ queries, toolboxes: [], limit }), []);
    return hits.map(({ toolbox, server, score, ...hit }) => hit);
  };
};
