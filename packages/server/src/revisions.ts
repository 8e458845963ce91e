import { isRecord } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';

/** The first revision of MCP that has each of these; a client of an older one refuses the whole message. */
const SINCE = { resourceLinks: '2025-06-18', listsOfSampledBlocks: '2025-11-25' } as const;

/** @param revision undefined where none was agreed: then all is known */
export function knows(feature: keyof typeof SINCE, revision: string | undefined): boolean {
  return revision === undefined || revision >= SINCE[feature];
}

/** The params of a request as a client of this revision reads them. */
export function forRevision(method: string, params: Members, revision: string | undefined): Members {
  if (method !== 'sampling/createMessage' || !Array.isArray(params.messages)) return params;
  if (knows('listsOfSampledBlocks', revision)) return params;
  return { ...params, messages: params.messages.flatMap(oneBlockEach) };
}

/** Each block of a message becomes a message of the same role, in order. */
function oneBlockEach(message: unknown): unknown[] {
  if (!isRecord(message) || !Array.isArray(message.content)) return [message];
  return message.content.map((content) => ({ ...message, content }));
}
