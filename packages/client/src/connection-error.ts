import type { Ending } from './connection.ts';

/** No line of a server's stands as one of the message does. */
function indented(lines: string): string {
  return lines.replace(/^(?=.)/gm, '  ');
}

/** A connection that ended, or never began. */
export class ConnectionError extends Error {
  readonly serverName: string;
  readonly ending: Ending;
  /** Whether nothing reached the server, so that asking again can't do anything twice. */
  readonly isUnsent: boolean;

  constructor(
    serverName: string,
    ending: Ending,
    { cause, isUnsent = false }: { readonly cause?: unknown; readonly isUnsent?: boolean } = {},
  ) {
    const tail =
      ending.stderrTail === undefined ? '' : ` Its last lines on stderr:\n${indented(ending.stderrTail)}`;
    super(`Server "${serverName}" ${ending.reason}.${tail}`, cause === undefined ? {} : { cause });
    this.name = 'ConnectionError';
    this.serverName = serverName;
    this.ending = ending;
    this.isUnsent = isUnsent;
  }
}
