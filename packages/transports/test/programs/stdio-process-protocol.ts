import type { JsonRpcMessage } from '@nexus/core';

export type ToProcess =
  | { readonly do: 'start' }
  | { readonly do: 'send'; readonly call: number; readonly message: JsonRpcMessage }
  | { readonly do: 'close'; readonly call: number };

export type FromProcess =
  | { readonly event: 'ready' }
  | { readonly event: 'message'; readonly message: JsonRpcMessage }
  | { readonly event: 'closed' }
  | { readonly event: 'done'; readonly call: number };
