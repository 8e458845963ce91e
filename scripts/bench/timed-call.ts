import type { StdioServer } from './servers.ts';

/** Calls the tool that does nothing, and answers how long that took in milliseconds. */
/** @param name of a tool that takes no arguments */
export function timedCall(server: StdioServer, name = 'noop') {
  return async () => {
    const startedAt = performance.now();
    await server.request('tools/call', { name, arguments: {} });
    return performance.now() - startedAt;
  };
}
