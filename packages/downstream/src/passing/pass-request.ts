import { isLate, type PassedRequest } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { ToolError } from '@nexus/plugin-sdk';
import { unavailable } from '../leases/connection-errors.ts';
import type { Lease } from '../leases/lease.ts';

/**
 * Passes a session's request to one of its servers and the result back, as they are.
 * @throws {ProtocolError} the server's own error
 * @throws {ToolError} NEXUS_UNAVAILABLE
 */
export async function passRequest(
  lease: Lease,
  { method, params, request }: { method: string; params: Members; request: PassedRequest },
): Promise<Members> {
  const { signal, progress, ask, meta } = request;
  const asking = {
    ask: async (asked: string, its: Members) => {
      if (ask) return ask.pass(asked, its, signal);
      throw new ToolError('NEXUS_UNAVAILABLE', `The client can’t be asked for ${asked}.`);
    },
  };
  const wantsProgress = progress !== undefined && meta?.progressToken !== undefined;
  return lease.during(asking, async () => {
    try {
      return await lease.request(method, params, {
        signal,
        // A report of progress is as its server made it.
        onProgress: wantsProgress ? (report) => progress(report as never) : undefined,
      });
    } catch (error) {
      throw isLate(error) ? silent(lease, method) : unavailable(lease.address, error);
    }
  });
}

function silent({ address: { toolbox, server } }: Lease, method: string): ToolError {
  const text = `Server "${server}" of toolbox "${toolbox}" did not answer ${method} in time.`;
  return new ToolError('NEXUS_TIMEOUT', text, { detail: { toolbox, server } });
}
