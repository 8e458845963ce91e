import type { JsonRpcMessage } from '@nexus/core';
import { isRecord } from '@nexus/core/json-type';
import type { Link } from './link.ts';

interface KnownTool {
  readonly mayRunTwice: boolean;
  /** A repeated call with the same key is answered from the record of the first. */
  readonly takesKey: boolean;
}

/** Which requests may be sent to the next owner again, by what `tools/list` last said of the tool. */
export interface ToolHints {
  learn(result: JsonRpcMessage['result']): void;
  /** @returns undefined for a call of a tool that no list has named yet */
  mayRepeat(request: JsonRpcMessage): boolean | undefined;
  /** Lists the tools for itself: a host may call without ever listing. */
  learnFrom(link: Link): Promise<void>;
}

/** Of all tools of a session, some of which other servers may have to list first. */
const LIST_MS = 30_000;

export function createToolHints(): ToolHints {
  const known = new Map<unknown, KnownTool>();

  function learn(result: JsonRpcMessage['result']): void {
    if (!Array.isArray(result?.tools)) return;
    for (const tool of result.tools) {
      if (!isRecord(tool)) continue;
      const hints = isRecord(tool.annotations) ? tool.annotations : {};
      const schema = isRecord(tool.inputSchema) ? tool.inputSchema : {};
      known.set(tool.name, {
        mayRunTwice: hints.readOnlyHint === true || hints.idempotentHint === true,
        takesKey: isRecord(schema.properties) && Object.hasOwn(schema.properties, 'idempotencyKey'),
      });
    }
  }

  return {
    learn,
    mayRepeat({ method, params }) {
      // Everything but a tool reads, or sets what it set before.
      if (method !== 'tools/call') return true;
      const tool = known.get(params?.name);
      return tool && (tool.mayRunTwice || (tool.takesKey && hasKey(params)));
    },
    async learnFrom(link) {
      let cursor: unknown;
      do {
        const { result } = await link.ask('tools/list', cursor === undefined ? {} : { cursor }, LIST_MS);
        learn(result);
        cursor = result?.nextCursor;
      } while (cursor !== undefined);
    },
  };
}

/** The key, wherever normalisation would find the arguments. */
function hasKey(params: JsonRpcMessage['params'] = {}): boolean {
  return [params.arguments, params, params.args].some(
    (place) => isRecord(place) && typeof place.idempotencyKey === 'string' && place.idempotencyKey !== '',
  );
}
