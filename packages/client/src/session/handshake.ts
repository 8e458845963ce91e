import { isRecord, type TimedSignal, typeName } from '@nexus/core';
import { type Peer, PROTOCOL_VERSIONS } from '@nexus/core/json-rpc';
import { isHalf, untilAborted } from '@nexus/primitives';
import type { ConnectOptions } from '../connect-options.ts';
import type { ServerIdentity } from '../connection.ts';

/** More than anybody reads; what a server says beyond it is counted and not kept. */
const MAX_INSTRUCTIONS_CHARS = 100_000;

/** A handshake that the server answered, but wrongly; the message completes `Server "x" …`. */
export class HandshakeError extends Error {
  override readonly name = 'HandshakeError';
}

/** Initializes the session and tells the server that it is. */
export async function shakeHands(
  peer: Peer,
  options: Pick<ConnectOptions, 'clientInfo' | 'capabilities'>,
  signal: TimedSignal,
  agreed: (protocolVersion: string) => void,
): Promise<ServerIdentity> {
  const answer = await peer.request(
    'initialize',
    {
      protocolVersion: PROTOCOL_VERSIONS[0],
      capabilities: options.capabilities,
      clientInfo: options.clientInfo,
    },
    { signal },
  );
  const server = readIdentity(answer);
  agreed(server.protocolVersion);
  await untilAborted(peer.notify('notifications/initialized'), signal);
  return server;
}

function readIdentity(answer: Readonly<Record<string, unknown>>): ServerIdentity {
  const { protocolVersion, serverInfo, capabilities, instructions } = answer;
  if (!PROTOCOL_VERSIONS.some((version) => version === protocolVersion)) {
    const known = PROTOCOL_VERSIONS.join(', ');
    throw new HandshakeError(
      `speaks protocol version ${JSON.stringify(protocolVersion)}, and this client ${known}`,
    );
  }
  if (!isRecord(capabilities)) {
    throw new HandshakeError(`declared capabilities that are no object but ${typeName(capabilities)}`);
  }
  return {
    protocolVersion: String(protocolVersion),
    // Required, and left out by some servers; nothing here depends on it.
    serverInfo: isRecord(serverInfo) ? serverInfo : {},
    capabilities,
    instructions:
      typeof instructions === 'string'
        ? { text: beginningOf(instructions), chars: instructions.length }
        : undefined,
  };
}

function beginningOf(text: string): string {
  return text.slice(0, MAX_INSTRUCTIONS_CHARS - (isHalf(text, MAX_INSTRUCTIONS_CHARS) ? 1 : 0));
}
