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
import type { Catalogue } from './catalogue.ts';

interface CatalogueSession {
  readonly catalogue: Catalogue;
  onResourceUpdated(listener: (uri: string) => void): () => void;
  /** The tools of this session, for prompts that speak of them. */
  tools(): readonly ToolSummary[];
}

/** Resources with subscriptions, prompts and completions of one session; answers how to stop updates. */
export function serveCatalogue(server: Server, session: CatalogueSession): () => void {
  const { catalogue, tools } = session;
  const subscribed = new Set<string>();
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: catalogue.listResources() as never,
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => ({
    contents: [(await catalogue.readResource(params.uri)) as never],
  }));
  server.setRequestHandler(SubscribeRequestSchema, async ({ params }) => {
    if (!catalogue.hasResource(params.uri)) await catalogue.readResource(params.uri);
    subscribed.add(params.uri);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: catalogue.listPrompts() as never }));
  server.setRequestHandler(
    GetPromptRequestSchema,
    async ({ params }) => (await catalogue.getPrompt(params.name, params.arguments ?? {}, tools())) as never,
  );
  server.setRequestHandler(CompleteRequestSchema, async ({ params }) => {
    if (params.ref.type !== 'ref/prompt') return { completion: { values: [] } };
    return { completion: await catalogue.completePrompt(params.ref.name, params.argument, tools()) };
  });
  return session.onResourceUpdated((uri) => {
    if (subscribed.has(uri)) server.sendResourceUpdated({ uri }).catch(() => {});
  });
}
