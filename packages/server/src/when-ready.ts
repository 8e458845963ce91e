import type { Handler } from './handler.ts';

/** Handlers that wait for what the session is to see from its start, where that is still to come. */
export function whenReady(
  handlers: Readonly<Record<string, Handler>>,
  ready: () => Promise<void> | undefined,
): Readonly<Record<string, Handler>> {
  return Object.fromEntries(
    Object.entries(handlers).map(([method, handler]): [string, Handler] => [
      method,
      (params, extra) => {
        const waiting = ready();
        return waiting ? waiting.then(() => handler(params, extra)) : handler(params, extra);
      },
    ]),
  );
}
