import { ConnectionError } from '@nexus/client';
import { ToolError } from '@nexus/plugin-sdk';
import { visibleToolName } from '@nexus/primitives';
import type { ServerAddress } from '../server-address.ts';

/** What a caller is told of a server that is not there. */
export function unavailable({ toolbox, server }: ServerAddress, cause: unknown): unknown {
  if (!(cause instanceof ConnectionError)) return cause;
  const { exitCode, signalName } = cause.ending;
  const text = `Toolbox "${toolbox}": ${cause.message}\nTo try each server: nexus toolbox test ${toolbox}`;
  return new ToolError('NEXUS_UNAVAILABLE', text, {
    detail: {
      toolbox,
      server,
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(signalName === undefined ? {} : { signal: signalName }),
    },
    cause,
  });
}

/** A call that may have had its effect, and must not be made twice. */
export function outcomeUnknown(
  { toolbox, server }: ServerAddress,
  tool: string,
  cause: ConnectionError,
): ToolError {
  return new ToolError(
    'NEXUS_OUTCOME_UNKNOWN',
    `The connection was lost before ${visibleToolName(tool)} answered, so nobody knows whether it did its work; look at its effect before calling again. ${cause.message}`,
    { detail: { toolbox, server }, cause },
  );
}
