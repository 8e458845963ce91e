import { JSON_RPC, ProtocolError } from '@nexus/core';
import type { SessionOptions } from './connect-options.ts';

/** For a client that its server may ask for nothing, which it says, and that passes nothing on. */
export const offersNothing = {
  capabilities: {},
  listener: {
    notification() {},
    async request(method): Promise<never> {
      throw new ProtocolError(JSON_RPC.methodNotFound, `this client does not offer ${method}`);
    },
  },
} satisfies Pick<SessionOptions, 'capabilities' | 'listener'>;
