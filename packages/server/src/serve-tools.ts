import {
  type Caller,
  type ClientRequests,
  type Dispatcher,
  isRecord,
  type ProgressReport,
  type Registry,
} from '@nexus/core';
import { createTask } from './serve-tasks.ts';

/** What the SDK hands to a request handler, as far as tools need it. */
interface RequestExtra {
  readonly signal: AbortSignal;
  readonly requestId: string | number;
  sendNotification(notification: { method: 'notifications/progress'; params: never }): Promise<void>;
}

export type Handler = (
  params: Readonly<Record<string, unknown>>,
  extra: RequestExtra,
) => Promise<Record<string, unknown>>;

/**
 * `tools/list` and `tools/call`, by method. Taken raw and not through the SDK's request schemas: those
 * strip inline arguments and answer malformed ones in words of their own.
 */
export function serveTools(session: {
  registry: Registry;
  dispatcher: Dispatcher;
  caller: Caller;
  ask(requestId: string | number): ClientRequests;
  /** Sends progress that belongs to no request of the client any more. */
  notify(params: Readonly<Record<string, unknown>>): void;
  hasGone(): boolean;
}): Readonly<Record<string, Handler>> {
  const { registry, dispatcher, caller, ask, hasGone, notify } = session;
  return {
    // One page, whatever cursor is sent: hosts that ignore nextCursor would lose the rest.
    'tools/list': async () => ({ tools: registry.list(caller.sessionId).map(({ listing }) => listing) }),
    'tools/call': async (params, extra) => {
      const { signal } = extra;
      if (isRecord(params.task)) {
        const progressToken = progressTokenOf(params);
        const progress = progressToken === undefined ? undefined : notify;
        return createTask(
          { dispatcher, caller },
          { params, signal },
          progress && ((report) => progress({ progressToken, ...report })),
        );
      }
      const progress = progressOf(params, extra);
      const request = { params, signal, hasGone, progress, ask: ask(extra.requestId) };
      return { ...(await dispatcher.call(caller, request)) };
    },
  };
}

function progressOf(
  params: Readonly<Record<string, unknown>>,
  extra: RequestExtra,
): ((report: ProgressReport) => void) | undefined {
  const progressToken = progressTokenOf(params);
  if (progressToken === undefined) return undefined;
  return (report) => {
    const params = { progressToken, ...report } as never;
    // A client that has just gone hears nothing, and its call ends by the channel's close.
    extra.sendNotification({ method: 'notifications/progress', params }).catch(() => {});
  };
}

function progressTokenOf(params: Readonly<Record<string, unknown>>): string | number | undefined {
  const token = isRecord(params._meta) ? params._meta.progressToken : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}
