import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { ToolSummary } from '@nexus/plugin-sdk';
import type { Catalogue } from './catalogue/catalogue.ts';

interface CatalogueSession {
  readonly catalogue: Catalogue;
  onResourceUpdated(listener: (uri: string) => void): () => void;
  /** The tools of this session, for prompts that speak of them. */
  tools(): readonly ToolSummary[];
}

/** Resources with subscriptions, prompts and completions of one session; answers how to stop updates. */
export function serveCatalogue(server: Server, session: CatalogueSession): () => void {
  const { catalogue, tools } = session;
  const { resources, prompts } = catalogue;
  const subscribed = new Set<string>();
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: resources.list() as never,
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: resources.listTemplates() as never,
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => ({
    contents: [(await resources.read(params.uri)) as never],
  }));
  server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    resources.assertKnown(params.uri);
    subscribed.add(params.uri);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: prompts.list() as never }));
  server.setRequestHandler(
    GetPromptRequestSchema,
    async ({ params }) => (await prompts.get(params.name, params.arguments ?? {}, tools())) as never,
  );
  server.setRequestHandler(CompleteRequestSchema, async ({ params }) => {
    const { ref, argument } = params;
    const completion =
      ref.type === 'ref/prompt'
        ? await prompts.complete(ref.name, argument, tools())
        : await resources.complete(ref.uri, argument);
    return { completion };
  });
  return session.onResourceUpdated((uri) => {
    if (subscribed.has(uri)) server.sendResourceUpdated({ uri }).catch(() => {});
  });
}
