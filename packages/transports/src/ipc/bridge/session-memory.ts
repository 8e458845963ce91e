import type { JsonRpcMessage } from '@nexus/core';
import type { Link } from './link.ts';

type Params = JsonRpcMessage['params'];

/** What the host has told its session so far and the next owner must hear again. */
export interface SessionMemory {
  readonly isInitialized: boolean;
  /** A request of the host has been answered. */
  answered(request: JsonRpcMessage, answer: JsonRpcMessage): void;
  notified(notification: JsonRpcMessage): void;
  /**
   * Tells it; the answers stay between the bridge and the owner. What the host says next may follow at once: of
   * what it subscribed to and its level the answers are not waited for, since they may be other servers' to give.
   */
  replay(link: Link): Promise<void>;
}

/** Of a server that is up: it knows its answer. */
const INITIALIZE_MS = 30_000;
/** How long its answer is kept from the host. */
const TOLD_MS = 600_000;

export function createSessionMemory(): SessionMemory {
  let initialize: { readonly params: Params } | undefined;
  let isInitialized = false;
  let level: Params;
  const subscriptions = new Map<unknown, Params>();
  return {
    get isInitialized() {
      return isInitialized;
    },
    answered({ method, params }, answer) {
      if (answer.error) return;
      if (method === 'initialize') initialize = { params };
      if (method === 'logging/setLevel') level = params;
      if (method === 'resources/subscribe') subscriptions.set(params?.uri, params);
      if (method === 'resources/unsubscribe') subscriptions.delete(params?.uri);
    },
    notified({ method }) {
      if (method === 'notifications/initialized') isInitialized = true;
    },
    async replay(link) {
      if (!initialize) return;
      await link.ask('initialize', initialize.params, INITIALIZE_MS);
      if (!isInitialized) return;
      link.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
      for (const params of subscriptions.values()) tell(link, 'resources/subscribe', params);
      if (level) tell(link, 'logging/setLevel', level);
    },
  };
}

function tell(link: Link, method: string, params: Params): void {
  link.ask(method, params, TOLD_MS).catch(() => {});
}
