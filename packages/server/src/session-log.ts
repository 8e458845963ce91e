import type { ToldToBridge } from '@nexus/core/told-to-bridge';
import type { Log } from '@nexus/plugin-sdk';
import type { Handler } from './handler.ts';
import { LOGGING_LEVELS } from './params/logging-levels.ts';

/** Our levels in the syslog names of MCP 2025-11-25, Logging. */
const MCP_LEVEL = { debug: 'debug', info: 'info', warn: 'warning', error: 'error' } as const;
/** From least to most severe. */
const SEVERITY: readonly unknown[] = LOGGING_LEVELS;

export interface SessionLog extends Log {
  /** Whether the client wants a message of another server: until it says, that server decides. */
  wants(level: unknown): boolean;
  /** Tells the client an error of the server itself, asked for or not, unless it wants graver ones alone. */
  announce(message: string): void;
  /** `logging/setLevel`. */
  readonly setLevel: Handler;
}

/**
 * What tools log: to the server's own log, and to the client once it has asked for messages by
 * `logging/setLevel`, from that level up.
 * @param tell what a process that joined is told, so that its own log has it, too
 */
export function sessionLog(
  send: (method: string, params: Readonly<Record<string, unknown>>) => void,
  log: Log,
  onLevel: (level: string) => void,
  tell?: (told: ToldToBridge) => void,
): SessionLog {
  let threshold: number | undefined;
  const at = (level: keyof Log) => (message: string, fields?: Readonly<Record<string, unknown>>) => {
    log[level](message, fields);
    if (level === 'warn' || level === 'error') tell?.({ level, message, ...(fields ? { fields } : {}) });
    if (threshold === undefined || SEVERITY.indexOf(MCP_LEVEL[level]) < threshold) return;
    const data = { message, ...fields };
    send('notifications/message', { level: MCP_LEVEL[level], logger: 'nexus', data });
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    announce(message) {
      tell?.({ level: 'error', message });
      if (threshold !== undefined && SEVERITY.indexOf('error') < threshold) return;
      send('notifications/message', { level: 'error', logger: 'nexus', data: { message } });
    },
    async setLevel({ level }) {
      threshold = SEVERITY.indexOf(level);
      onLevel(String(level));
      return {};
    },
    wants: (level) => threshold === undefined || SEVERITY.indexOf(level) >= threshold,
  };
}
