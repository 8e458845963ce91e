import type { Connection } from '@nexus/client';
import { ANSWER_MS, endsWithin, isRecord, LONGEST_MS } from '@nexus/core';
import { asToolCallResult, type ConversationTool } from '@nexus/plugin-sdk';
import { FINDING_TOOLS } from '../tools/finding-tools.ts';

/** A server of a chat, connected. */
export interface ChatServer {
  readonly name: string;
  /** What it is, whatever it calls itself: `nexus`, or its command line or URL. */
  readonly id: string;
  /** Nexus itself, whose labels and names of tools are believed. */
  readonly isOwn: boolean;
  readonly connection: Pick<Connection, 'request' | 'list'>;
  /** Which of its tools every request should tell of. */
  isFirst(name: string): boolean;
}

/** A tool with the server that it is of. */
export interface ServerTool extends ConversationTool {
  /** What it is, whatever it is called: what a user allowed for good is remembered by this. */
  readonly origin: string;
  readonly server: string;
  /** Of Nexus itself. */
  readonly isOwn: boolean;
  readonly reachesOut: boolean;
  /** Belongs to what every request tells of, where there is room; the others are found. */
  readonly isFirst: boolean;
}

const MAX_NAME_CHARS = 64;

/** The tools of all servers, each under a name of its own: where two servers have the same, with the server's. */
export async function serverTools(
  servers: readonly ChatServer[],
  signal: AbortSignal,
): Promise<ServerTool[]> {
  const lists = await Promise.all(
    servers.map(async (server) => {
      const listed = await server.connection.list('tools/list', 'tools', {
        signal: endsWithin(ANSWER_MS, signal),
      });
      return listed.flatMap((listing) =>
        isRecord(listing) && typeof listing.name === 'string'
          ? [{ server, listing, name: listing.name }]
          : [],
      );
    }),
  );
  const all = lists.flat();
  // The chat has two of its own, whatever servers call theirs.
  const counts = new Map<string, number>(FINDING_TOOLS.map((name) => [name, 1]));
  for (const { name } of all) counts.set(name, (counts.get(name) ?? 0) + 1);
  return all.map(({ server, listing, name }) => {
    const own = (counts.get(name) ?? 0) > 1 ? `${server.name}__${name}`.slice(0, MAX_NAME_CHARS) : name;
    return toTool(server, { ...listing, name }, own);
  });
}

function toTool(
  server: ChatServer,
  listing: Readonly<Record<string, unknown>> & { name: string },
  name: string,
): ServerTool {
  const annotations = isRecord(listing.annotations) ? listing.annotations : {};
  return {
    name,
    server: server.name,
    isOwn: server.isOwn,
    origin: JSON.stringify([server.id, server.isOwn ? originOf(listing) : listing.name]),
    description:
      typeof listing.description === 'string'
        ? listing.description
        : ((listing.title as string | undefined) ?? name),
    inputSchema: isRecord(listing.inputSchema) ? listing.inputSchema : { type: 'object' },
    // What a server does not say is taken for the worst (MCP 2025-11-25, `ToolAnnotations`).
    isReadOnly: annotations.readOnlyHint === true,
    reachesOut: annotations.openWorldHint !== false,
    isFirst: server.isFirst(listing.name),
    async call(input, { signal }) {
      const params = { name: listing.name, arguments: input };
      const answered = await server.connection.request('tools/call', params, {
        // The server knows the budget of what it runs.
        signal: endsWithin(LONGEST_MS, signal),
        onProgress() {},
      });
      return asToolCallResult(answered);
    },
  };
}

/** Of Nexus alone, which says what a tool of a toolbox is where it is called otherwise. */
function originOf({ name, _meta: meta }: Readonly<Record<string, unknown>> & { name: string }): string {
  const origin = isRecord(meta) ? meta['nexus/origin'] : undefined;
  return typeof origin === 'string' ? origin : name;
}
