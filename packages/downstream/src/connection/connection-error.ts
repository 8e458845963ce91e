import type { Ending } from './connection.ts';

/** A connection that ended, or never began. */
export class ConnectionError extends Error {
  readonly serverName: string;
  readonly ending: Ending;

  constructor(serverName: string, ending: Ending, cause?: unknown) {
    const tail = ending.stderrTail === undefined ? '' : ` Its last lines on stderr:\n${ending.stderrTail}`;
    super(`Server "${serverName}" ${ending.reason}.${tail}`, cause === undefined ? {} : { cause });
    this.name = 'ConnectionError';
    this.serverName = serverName;
    this.ending = ending;
  }
}
