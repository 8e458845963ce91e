export type { Anchor } from './anchors/anchor.ts';
export { databaseAnchor } from './anchors/database-anchor.ts';
export { fileAnchor } from './anchors/file-anchor.ts';
export { gitAnchor, type RunGit } from './anchors/git-anchor.ts';
export { urlAnchor } from './anchors/url-anchor.ts';
export { auditedCalls } from './chain/audited-calls.ts';
export { chainLines, newestEvents } from './chain/read-trail.ts';
export { openKey } from './checkpoint/key.ts';
export type { Contents } from './commit/commitment.ts';
export { eraseOpenings } from './commit/erase-openings.ts';
export {
  type CommittedEvent,
  openTrail,
  type Trail,
  type TrailEvent,
  type TrailParts,
} from './open-trail.ts';
export type { Fault, FaultKind } from './verify/fault.ts';
export { type Verification, verifyTrail } from './verify/verify-trail.ts';
