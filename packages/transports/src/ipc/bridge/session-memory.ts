import type { JsonRpcMessage } from '@nexus/core';
import type { Link } from './link.ts';

type Params = JsonRpcMessage['params'];

/** What the host has told its session so far and the next owner must hear again. */
export interface SessionMemory {
  readonly isInitialized: boolean;
  /** A request of the host has been answered. */
  answered(request: JsonRpcMessage, answer: JsonRpcMessage): void;
  notified(notification: JsonRpcMessage): void;
  /** Tells it; the answers stay between the bridge and the owner. */
  replay(link: Link): Promise<void>;
}

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
      await link.ask('initialize', initialize.params);
      if (!isInitialized) return;
      link.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
      const rest = [...subscriptions.values()].map((params) => link.ask('resources/subscribe', params));
      if (level) rest.push(link.ask('logging/setLevel', level));
      await Promise.all(rest);
    },
  };
}
