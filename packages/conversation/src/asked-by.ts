import type { ModelCaller, ModelRequest } from '@nexus/plugin-sdk';

/** What a request has of who asks it, where it says nothing else itself: whose ledger pays, under which key. */
export function askedBy<Request extends Pick<ModelRequest, 'ledger' | 'idempotencyKey'>>(
  request: Request,
  { ledger, idempotencyKey }: ModelCaller,
): Request {
  return {
    ...(ledger === undefined ? {} : { ledger }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...request,
  };
}
