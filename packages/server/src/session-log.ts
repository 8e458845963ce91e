import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { LoggingLevelSchema, SetLevelRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '@nexus/plugin-sdk';

/** Our levels in the syslog names of MCP 2025-11-25, Logging. */
const MCP_LEVEL = { debug: 'debug', info: 'info', warn: 'warning', error: 'error' } as const;
/** From least to most severe. */
const SEVERITY = LoggingLevelSchema.options;

export interface SessionLog extends Log {
  /** Whether the client wants a message of another server: until it says, that server decides. */
  wants(level: unknown): boolean;
}

/**
 * What tools log: to the server's own log, and to the client once it has asked for messages by
 * `logging/setLevel`, from that level up.
 */
export function sessionLog(server: Server, log: Log, onLevel: (level: string) => void): SessionLog {
  let threshold: number | undefined;
  server.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
    threshold = SEVERITY.indexOf(params.level);
    onLevel(params.level);
    return {};
  });
  const at = (level: keyof Log) => (message: string, fields?: Readonly<Record<string, unknown>>) => {
    log[level](message, fields);
    if (threshold === undefined || SEVERITY.indexOf(MCP_LEVEL[level]) < threshold) return;
    const params = { level: MCP_LEVEL[level], logger: 'nexus', data: { message, ...fields } };
    // A client that is gone needs no message, and the server's own log has it.
    server.notification({ method: 'notifications/message', params }).catch(() => {});
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    wants: (level) => threshold === undefined || SEVERITY.indexOf(level as never) >= threshold,
  };
}
