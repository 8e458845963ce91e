import type { Registry } from '@nexus/core';
import type { SessionScope, ToolCallResult } from '@nexus/plugin-sdk';
import { knows } from '../revisions.ts';
import { forHosts } from './for-hosts.ts';
import type { KeptResults } from './kept-results.ts';
import { limitResult } from './limit-result.ts';

/**
 * Makes what one session's calls answer fit for its host, and cuts it; what it cuts is kept for that session, and on
 * disk before the answer that names it is there.
 */
export type ResultLimiter = (result: ToolCallResult, toolName: unknown) => Promise<ToolCallResult>;

export function resultLimiter(session: {
  readonly scope: SessionScope;
  readonly user: string | undefined;
  readonly results: KeptResults | undefined;
  readonly registry: Registry;
  protocolVersion(): string | undefined;
}): ResultLimiter {
  const { scope, user, results, registry } = session;
  if (!results) return async (result) => forHosts(result);
  return async (result, toolName) => {
    const uris: string[] = [];
    const limited = limitResult(forHosts(result), {
      maxChars: results.maxResultChars,
      keep(whole) {
        const kept = results.keep(scope, whole, user);
        uris.push(kept.uri);
        return kept;
      },
      get knowsLinks() {
        return knows('resourceLinks', session.protocolVersion());
      },
      get isOwn() {
        const tool = registry.get(String(toolName), scope);
        return tool !== undefined && tool.origin === undefined && tool.passesResultsOn !== true;
      },
      fitsSchema(structure) {
        const tool = registry.get(String(toolName), scope);
        if (tool && tool.listing.outputSchema === undefined) return undefined;
        // A tool that is gone by now can't be asked; its promise stands.
        return tool?.fitsOutput?.(structure) ?? false;
      },
    });
    if (uris.length > 0) await results.written(uris);
    return limited;
  };
}
