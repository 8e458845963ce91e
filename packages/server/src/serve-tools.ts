import {
  type Caller,
  type ClientRequests,
  type Dispatcher,
  isRecord,
  type ProgressReport,
  type Registry,
} from '@nexus/core';
import type { Handler } from './direct-requests.ts';
import { createTask } from './serve-tasks.ts';

/** `tools/list` and `tools/call`, by method. */
export function serveTools(session: {
  registry: Registry;
  dispatcher: Dispatcher;
  caller: Caller;
  ask(requestId: string | number): ClientRequests;
  /** Sends progress; without a request for what belongs to none of the client's any more. */
  notify(params: Readonly<Record<string, unknown>>, requestId?: string | number): void;
  hasGone(): boolean;
}): Readonly<Record<string, Handler>> {
  const { registry, dispatcher, caller, ask, hasGone, notify } = session;
  return {
    // One page, whatever cursor is sent: hosts that ignore nextCursor would lose the rest.
    'tools/list': async () => ({ tools: registry.listed(caller.sessionId).map(({ listing }) => listing) }),
    'tools/call': async (params, { signal, requestId }) => {
      const isTask = isRecord(params.task);
      const progressToken = progressTokenOf(params);
      const progress =
        progressToken === undefined
          ? undefined
          : (report: Readonly<Record<string, unknown>>) =>
              notify({ progressToken, ...report }, isTask ? undefined : requestId);
      if (isTask) return createTask({ dispatcher, caller }, { params, signal }, progress);
      const request = {
        params,
        signal,
        hasGone,
        progress: progress as ((report: ProgressReport) => void) | undefined,
        ask: ask(requestId),
      };
      return { ...(await dispatcher.call(caller, request)) };
    },
  };
}

function progressTokenOf(params: Readonly<Record<string, unknown>>): string | number | undefined {
  const token = isRecord(params._meta) ? params._meta.progressToken : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}
