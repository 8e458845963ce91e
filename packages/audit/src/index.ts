export { chainLines, newestEvents } from './chain/read-trail.ts';
export type { Anchor } from './checkpoint/anchors.ts';
export { fileAnchor } from './checkpoint/anchors.ts';
export { openKey } from './checkpoint/key.ts';
export type { Contents } from './commit/commitment.ts';
export { eraseOpenings } from './commit/erase-openings.ts';
export { openTrail, type Trail, type TrailEvent, type TrailParts } from './open-trail.ts';
export type { Fault, FaultKind } from './verify/fault.ts';
export { type Verification, verifyTrail } from './verify/verify-trail.ts';
