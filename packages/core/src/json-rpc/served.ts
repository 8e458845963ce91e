import type { Log } from '@nexus/plugin-sdk';
import type { Channel, JsonRpcMessage } from '../channel.ts';
import { type Place, Running } from '../running.ts';
import { RequestEnd } from '../timeouts/end-signal.ts';
import type { Members, RequestId } from './members.ts';
import { toRpcError } from './rpc-error.ts';

/** What a handler learns of its request. */
export interface RequestExtra {
  /** Fires when the other side cancels the request, or has gone. */
  readonly end: RequestEnd;
  readonly requestId: RequestId;
  /**
   * Has work done once the answer is with the system, on its way to the other side: it comes there, though this process
   * dies. Not done where none is sent.
   */
  afterAnswer(work: AfterAnswer): void;
}

export type AfterAnswer = () => Promise<void>;

/** Answers a request; what it rejects with as ProtocolError leaves as it is. */
export type RequestHandler = (method: string, params: Members, extra: RequestExtra) => Promise<Members>;

/** The requests of the other side. */
export interface Served {
  serve(id: RequestId, method: string, params: Members): void;
  cancelled(params: Members): void;
  inFlight(): number;
  /** Resolves once none waits for its answer. */
  idle(): Promise<void>;
  /** Ends all; none is answered any more. */
  end(reason: Error): void;
}

/** A class for its price: a function in an object literal is made anew for each request. */
class ServedRequest implements RequestExtra {
  readonly end = new RequestEnd();
  readonly requestId: RequestId;
  works: AfterAnswer[] | undefined;

  constructor(requestId: RequestId) {
    this.requestId = requestId;
  }

  afterAnswer(work: AfterAnswer): void {
    this.works ??= [];
    this.works.push(work);
  }
}

interface InFlight {
  readonly id: RequestId;
  readonly end: RequestEnd;
}

export function servedRequests(channel: Pick<Channel, 'send'>, handle: RequestHandler, log: Log): Served {
  const running = new Running<InFlight>();
  let idle = () => {};

  /** Whatever a handler answered, its caller hears something: a result that is no JSON is a fault of this side. */
  function send(message: JsonRpcMessage, method: string, works: AfterAnswer[] | undefined): Promise<void> {
    const sent = works
      ? channel.send(message, { isUrgent: true }).then(() => void works.forEach(begin))
      : channel.send(message);
    return sent.catch((cause) => {
      log.warn('an answer could not be sent', { method, err: cause });
      const { id } = message;
      return channel.send({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: toRpcError(cause) });
    });
  }

  function begin(work: AfterAnswer): void {
    work().catch((cause) => log.warn('what was to follow an answer failed', { err: cause }));
  }

  function settle(place: Place<InFlight>): void {
    running.remove(place);
    if (running.size === 0) idle();
  }

  return {
    serve(id, method, params) {
      const request = new ServedRequest(id);
      const { end } = request;
      const place = running.add({ id, end });
      const settled = () => settle(place);
      // MCP 2025-11-25, cancellation: a cancelled request is not answered.
      const answer = (message: JsonRpcMessage) =>
        end.aborted ? settled() : void send(message, method, request.works).then(settled, settled);
      // Not by `await`, here and on the way of every message: each costs as much as the rest of an answer.
      handle(method, params, request).then(
        (result) => answer({ jsonrpc: '2.0', id, result }),
        (error) => answer({ jsonrpc: '2.0', id, error: toRpcError(error) }),
      );
    },
    cancelled({ requestId, reason }) {
      // Another request may have come under the same id: the last is meant.
      const place = running.places().findLast(({ value }) => value.id === requestId);
      if (!place) return;
      place.value.end.end(new Error(typeof reason === 'string' ? reason : 'cancelled'));
      settle(place);
    },
    inFlight: () => running.size,
    idle() {
      if (running.size === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const before = idle;
        idle = () => {
          before();
          resolve();
        };
      });
    },
    end(reason) {
      for (const place of running.places()) {
        place.value.end.end(reason);
        settle(place);
      }
    },
  };
}
