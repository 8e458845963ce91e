import type { StdioServer } from './servers.ts';

/** Calls the tool that does nothing, and answers how long that took in milliseconds. */
export function timedCall(server: StdioServer) {
  return async () => {
    const startedAt = performance.now();
    await server.request('tools/call', { name: 'noop', arguments: {} });
    return performance.now() - startedAt;
  };
}
