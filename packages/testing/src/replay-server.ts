import { fileURLToPath } from 'node:url';

/**
 * How to start a stdio server that serves one server's tools out of a file of catalogues
 * (`{ server: { version, tools } }`), fifty a page; each call answers `{ name, arguments }` as they arrived.
 */
export function replayServer(cataloguesFile: string, server: string): { command: string; args: string[] } {
  const program = fileURLToPath(new URL('../servers/replay.mjs', import.meta.url));
  return { command: process.execPath, args: [program, cataloguesFile, server] };
}
