import { JSON_RPC, ProtocolError, Running } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { isToolError } from '@nexus/plugin-sdk';

/** Who answers what a server asks its client. */
export interface Asking {
  ask(method: string, params: Members): Promise<Members>;
}

/** A call, or the opening of a toolbox, that a server may ask its client back in. */
export interface InFlight {
  readonly sessionId: string;
  readonly asking: Asking;
}

/** Who is to answer a request that a server has for its client. */
export interface InFlightCalls {
  /** Keeps the call among those in flight until `work` has settled. */
  during<T>(call: InFlight, work: () => Promise<T>): Promise<T>;
  sessions(): ReadonlySet<string>;
  /**
   * Passes the request to the only session with a call in flight, its result as it is.
   * @throws {ProtocolError} none or several sessions have one; what the client answered
   */
  ask(method: string, params: Members): Promise<Members>;
}

export function createInFlightCalls(): InFlightCalls {
  const calls = new Running<InFlight>();
  const sessions = () => new Set(calls.all().map(({ sessionId }) => sessionId));
  return {
    sessions,
    during(call, work) {
      const place = calls.add(call);
      const over = () => calls.remove(place);
      const working = work();
      working.then(over, over);
      return working;
    },
    async ask(method, params) {
      const count = sessions().size;
      const { latest } = calls;
      if (latest === undefined || count !== 1) throw refusal(method, count);
      try {
        return await latest.asking.ask(method, params);
      } catch (error) {
        // To the server that asks, a client that does not offer this is one without the method.
        if (isToolError(error)) throw new ProtocolError(JSON_RPC.methodNotFound, error.message);
        throw error;
      }
    },
  };
}

function refusal(method: string, sessions: number): ProtocolError {
  const why =
    sessions === 0
      ? 'no call of a client is in flight on this connection'
      : `${sessions} sessions have calls in flight on this connection, and nothing tells whose request it is; isolation "session" gives each a connection of its own`;
  return new ProtocolError(JSON_RPC.invalidRequest, `${method} was refused: ${why}`);
}
