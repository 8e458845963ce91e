export { type BridgeOptions, runBridge } from './bridge/run-bridge.ts';
export type { Claim, Owner } from './claim.ts';
export type { OwnerHandlers, Visitor } from './door.ts';
export type { Question, QuestionDetails, SessionHello } from './hello.ts';
export { hashIdentity, type Identity } from './identity.ts';
export {
  askOwner,
  type Joined,
  type JoinedOwner,
  type JoinOptions,
  join,
  joinOrClaim,
  joinRunning,
} from './join.ts';
export { type MeetingPoint, meetingPoint } from './meeting-point.ts';
export { type OtherBuild, otherBuilds } from './other-builds.ts';
export { readPointer } from './pointer.ts';
export { createReconnect, type ReconnectOptions } from './reconnect.ts';
export { runtimeDirPath } from './runtime-dir.ts';
export { SharingError } from './sharing-error.ts';
