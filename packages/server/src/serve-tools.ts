import { type Caller, type ClientRequests, type Dispatcher, isRecord, type Registry } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { EVERY_TOOL_META_KEY, everyTool } from './every-tool.ts';
import type { Handler } from './handler.ts';
import type { ProgressSender } from './progress-sender.ts';
import type { ResultLimiter } from './results/result-limiter.ts';
import { createTask } from './serve-tasks.ts';

/** `tools/list` and `tools/call`, by method. */
export function serveTools(session: {
  registry: Registry;
  dispatcher: Dispatcher;
  caller: Caller;
  ask(requestId: string | number): ClientRequests;
  readonly progress: ProgressSender;
  hasGone(): boolean;
  readonly limit: ResultLimiter;
}): Readonly<Record<string, Handler>> {
  const { registry, dispatcher, caller, ask, hasGone, limit } = session;
  return {
    // One page, whatever cursor is sent: hosts that ignore nextCursor would lose the rest.
    'tools/list': async ({ _meta }) =>
      isRecord(_meta) && _meta[EVERY_TOOL_META_KEY] === true
        ? everyTool(registry, caller.sessionId)
        : { tools: registry.listed(caller.sessionId).map(({ listing }) => listing) },
    'tools/call'(params, { end, requestId }) {
      const isTask = isRecord(params.task);
      const progress = session.progress(params, isTask ? undefined : requestId);
      if (isTask) return createTask({ dispatcher, caller }, { params, signal: end }, progress);
      return dispatcher
        .call(caller, { params, signal: end, hasGone, progress, ask: ask(requestId) })
        .then((result) => limit(result, params.name) as unknown as Members); // JSON, as every result is
    },
  };
}
