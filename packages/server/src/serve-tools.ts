import type { Caller, ClientRequests, Dispatcher, ProgressReport, Registry } from '@nexus/core';

/** What the SDK hands to a request handler, as far as tools need it. */
interface RequestExtra {
  readonly signal: AbortSignal;
  readonly requestId: string | number;
  sendNotification(notification: { method: 'notifications/progress'; params: never }): Promise<void>;
}

type Handler = (
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
}): Readonly<Record<string, Handler>> {
  const { registry, dispatcher, caller, ask } = session;
  return {
    // One page, whatever cursor is sent: hosts that ignore nextCursor would lose the rest.
    'tools/list': async () => ({ tools: registry.list(caller.sessionId).map(({ listing }) => listing) }),
    'tools/call': async (params, extra) => ({
      ...(await dispatcher.call(caller, {
        params,
        signal: extra.signal,
        progress: progressOf(params, extra),
        ask: ask(extra.requestId),
      })),
    }),
  };
}

function progressOf(
  params: Readonly<Record<string, unknown>>,
  extra: RequestExtra,
): ((report: ProgressReport) => void) | undefined {
  const progressToken = (params._meta as { progressToken?: unknown } | undefined)?.progressToken;
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return undefined;
  return (report) => {
    const params = { progressToken, ...report } as never;
    // A client that has just gone hears nothing, and its call ends by the channel's close.
    extra.sendNotification({ method: 'notifications/progress', params }).catch(() => {});
  };
}
