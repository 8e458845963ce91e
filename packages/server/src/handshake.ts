import type { Members } from '@nexus/core/json-rpc';
import { PROTOCOL_VERSIONS } from '@nexus/core/json-rpc';
import type { Handler } from './handler.ts';

/**
 * What a client said of itself. Here it says so once, at initialize; the 2026-07-28 revision has no handshake
 * and says it in `_meta` of each request, so whatever asks after the client asks for this and for no more.
 */
export interface Declared {
  readonly protocolVersion: string;
  readonly client: { readonly name: string; readonly version: string };
  readonly capabilities: Members;
}

export interface Handshake {
  /** undefined before initialize. */
  declared(): Declared | undefined;
  readonly initialize: Handler;
}

/**
 * The version that the client asks for where it is known, else the newest of ours (MCP 2025-11-25, Lifecycle,
 * Version Negotiation).
 * @param own what is answered beside the version to this client
 */
export function handshake(own: (declared: Declared) => Members): Handshake {
  let declared: Declared | undefined;
  return {
    declared: () => declared,
    async initialize(params) {
      // Checked to be of this shape.
      const asked = params as unknown as {
        readonly protocolVersion: string;
        readonly clientInfo: Declared['client'];
        readonly capabilities: Members;
      };
      const protocolVersion =
        PROTOCOL_VERSIONS.find((version) => version === asked.protocolVersion) ?? PROTOCOL_VERSIONS[0];
      declared = { protocolVersion, client: asked.clientInfo, capabilities: asked.capabilities };
      return { protocolVersion, ...own(declared) };
    },
  };
}
