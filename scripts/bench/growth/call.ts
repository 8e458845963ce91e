import type { StdioServer } from '../servers.ts';

/** Calls a tool; @throws what a tool answers as its error */
export async function call(server: StdioServer, name: string, args: object = {}) {
  const result = await server.request('tools/call', { name, arguments: args });
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
  return result;
}
