export { HINT_NAMES, hintFaults, mayBundle, mayDestroy, mayRetry } from './annotations/hints.ts';
export type { CallAudit, CallEnded } from './call/audited.ts';
export type { Caller, CallRequest, Wire } from './call/call-request.ts';
export type { ClientRequests } from './call/client-requests.ts';
export { createDispatcher, type Dispatcher, type DispatcherOptions } from './call/dispatcher.ts';
export { type BroughtInputs, type InputRequired, inputRequiredOf } from './call/inputs.ts';
export { LEAVES_RUN_META } from './call/lifetime.ts';
export type { CallRecord } from './call/record.ts';
export { newSpanId, within } from './call/trace.ts';
export type { Channel, JsonRpcMessage, SendOptions, Trust } from './channel.ts';
export { childLog } from './child-log.ts';
export type { Downstreams, LeftOut, PassedRequest } from './downstreams.ts';
export type { CallFailure } from './errors/failure.ts';
export {
  AnsweredError,
  ERROR_META_KEY,
  type ErrorCategory,
  type ErrorEnvelope,
  errorTable,
  invalidParams,
  isKnownCode,
  JSON_RPC,
  type KnownErrorCode,
  ProtocolError,
  toErrorResult,
} from './errors/index.ts';
export { type JobQueue, type JobRun, type JobStart, KEY_META, type StartedJob } from './jobs/job-queue.ts';
export { isRecord, typeName } from './json-type.ts';
export type { AskYes, BegunRun, Known, KnownOnRecord } from './labels/known.ts';
export { type ArgumentSource, type NormalizedCall, normalizeCall } from './normalization/normalize.ts';
export type { OwnPermissions, Permissions } from './policy/permissions.ts';
export { isPermitted, refusal } from './policy/permissions.ts';
export type { RateLimit } from './policy/rate-limit.ts';
export { exampleArguments } from './registry/example.ts';
export { lazyTool } from './registry/lazy-tool.ts';
export type { ListedTool } from './registry/listed-tool.ts';
export type { PluginRuntime } from './registry/plugin-tool.ts';
export type {
  CallerContext,
  Issue,
  RegisteredTool,
  TaskSupport,
  ToolListing,
  Validation,
} from './registry/registered-tool.ts';
export { RegistrationError } from './registry/registration-error.ts';
export { createRegistry, type NamedTool, type Registry } from './registry/registry.ts';
export { toolsInSight } from './registry/tools-in-sight.ts';
export type { Recovery } from './registry/validate-call.ts';
export { type Place, Running } from './running.ts';
export type { ClientOfUser } from './session/client-of-user.ts';
export { nothingOf } from './session/nothing-of.ts';
export { type ClientHabits, createRelisting, type Relisting } from './session/relisting.ts';
export { createSessionScope, inScope, type OwnedScope } from './session/session-scope.ts';
export {
  BUDGETS_MS,
  type BudgetSettings,
  budgetMs,
  HARD_CAP_MS,
  MULTIPLIER_RANGE,
} from './timeouts/budgets.ts';
export { type EndSignal, RequestEnd } from './timeouts/end-signal.ts';
export { MCP_SDK_DEFAULT_MS, type MismatchEvent } from './timeouts/mismatch.ts';
export { type ClientPatience, createPatience, type Waits, type WaitsOfClients } from './timeouts/patience.ts';
export type { ProgressReport } from './timeouts/progress.ts';
export {
  ANSWER_MS,
  endsWithin,
  isLate,
  LONGEST_MS,
  type TimedEnd,
  type TimedSignal,
  timed,
} from './timeouts/timed-end.ts';
