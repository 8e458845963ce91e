export type { AskOptions } from './asked.ts';
export type { Members, RequestId } from './members.ts';
export { createPeer, type Peer, type PeerHandlers } from './peer.ts';
export { PROTOCOL_VERSIONS } from './protocol-versions.ts';
export type { AfterAnswer, RequestExtra } from './served.ts';
