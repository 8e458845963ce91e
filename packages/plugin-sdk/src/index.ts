export { answerRoom, maxLineChars, textRoom } from './answer-room.ts';
export { asToolCallResult } from './as-tool-call-result.ts';
export type {
  ElicitationAnswer,
  ElicitationRequest,
  SamplingAnswer,
  SamplingRequest,
} from './ask-client.ts';
export type {
  Audit,
  AuditEvent,
  AuditedCall,
  AuditFault,
  AuditVerification,
  SecretUsed,
} from './audit.ts';
export type { ContentAnnotations, ContentBlock, EmbeddedResource } from './content.ts';
export type { CallContext, CallInputs, Resumption, Root, Trace } from './context.ts';
export { contextWith, refuseSpread } from './context-with.ts';
export type { Events } from './events.ts';
export { type Fetched, type Fetching, type FetchOptions, type SourceName, sourceNames } from './fetching.ts';
export { fitting, fittingEach, fittingTwice, jsonLength, nextPage } from './fitting.ts';
export type { Host } from './host.ts';
export type { FinishedJob, Job, JobQuery, JobScope, JobStatus, Jobs } from './jobs.ts';
export { LABEL_META_KEY, type Label } from './label.ts';
export type { Log } from './log.ts';
export { createLookedAt, type LookedAt } from './looked-at.ts';
export { matchesName } from './matches-name.ts';
export { aboutProject } from './models/about-project.ts';
export { type AskModel, askModel, tryModel } from './models/ask-model.ts';
export type {
  Approval,
  Conversation,
  ConversationEvent,
  ConversationStep,
  ConversationSteps,
  ConversationTool,
  ConverseRequest,
  TurnEvent,
} from './models/converse.ts';
export { type DurableSteps, durableSteps } from './models/durable-steps.ts';
export { fence } from './models/fence.ts';
export type {
  Generated,
  GeneratedObject,
  GenerateRequest,
  ModelCaller,
  ModelCategory,
  ModelEvent,
  ModelRequest,
  ModelTool,
  ModelUsage,
  ObjectRequest,
  Reading,
} from './models/generate.ts';
export type { CallCost, CallEstimate, Ledger, Reservation, Spend } from './models/ledger.ts';
export type { ModelBlock, ModelMessage, Reasoning, ToolResult, ToolUse } from './models/message.ts';
export type { JudgedWork, LookedUp, ModelEntry, ModelProvider, Models } from './models/models.ts';
export { READING_KIT, readingTools } from './models/reading-kit.ts';
export type { ModelOutcomes, OutcomeQuery, RouteRequest, Routing, ScoredModel } from './models/route.ts';
export { type AnsweredUse, answeredUsesIn } from './models/tool-answers.ts';
export { unpriced } from './models/unpriced.ts';
export { addUsage, costLine, dollars, NO_USAGE, tookWords } from './models/usage.ts';
export { BASIS_MEANS, type Basis, bases, basisOf, missingText } from './named/basis.ts';
export { filesDeclaring } from './named/find-file.ts';
export { lookUp, lookUpNames, type NamesLookedUp, namesThere, withoutMarks } from './named/look-up-names.ts';
export { namedFile, namedFileText, outlineNamedFile, readNamedFile } from './named/named-file.ts';
export { type Name, namesIn } from './named/names-in.ts';
export { type FileLines, hasSeen, linesSeenIn, linesShownBy, mergedLines } from './named/seen-lines.ts';
export { nearestArgument } from './nearest-argument.ts';
export { nearestNames } from './nearest-names.ts';
export { type AnyPlugin, definePlugin, type Plugin } from './plugin.ts';
export { programEnvironment } from './programs/program-environment.ts';
export type {
  Program,
  ProgramEnd,
  Programs,
  ReadProgram,
  RunningProgram,
} from './programs/programs.ts';
export type { Project } from './project.ts';
export type { PromptArgument, PromptContext, PromptDefinition, PromptMessage } from './prompt.ts';
export { type Read, type Readers, type ReadingRoom, readersInRoom, readingRoom } from './reading.ts';
export { NORMALIZED_META_KEY, recoveryText } from './recovery-text.ts';
export { readRelayedCall } from './relaying/read-relayed-call.ts';
export type { ResourceContext, ResourceDefinition, ResourceTemplateDefinition } from './resource.ts';
export type { ReadableText, Results } from './results.ts';
export { isSwept, type Kept, type Retention, type RetentionPart, type Swept } from './retention.ts';
export {
  type Assignment,
  type ExpertTurnInput,
  type ExpertTurnOutput,
  expertTurn,
  type Reference,
} from './runs/contracts/expert-turn.ts';
export { checkChange, type ProveInput, type ProveOutput, proofKinds, prove } from './runs/contracts/prove.ts';
export {
  type Ballot,
  type VoteCondition,
  type VoteConditionsInput,
  type VoteConditionsOutput,
  type VoteInput,
  type VoteObjection,
  type VoteOutput,
  vote,
  voteConditions,
} from './runs/contracts/vote.ts';
export { capOf, capOptions } from './runs/for-calls/cap-options.ts';
export { defineRunTool } from './runs/for-calls/define-run-tool.ts';
export { inputRequired, inputRequiredWords } from './runs/for-calls/input-required.ts';
export { wayOnText, withoutRunText } from './runs/for-calls/run-text.ts';
export type { RunBeginning } from './runs/for-calls/run-tool.ts';
export type { Answer, AskedQuestion, Question } from './runs/question.ts';
export { retiredRun } from './runs/retired-run.ts';
export type {
  ChildOptions,
  LoopGuard,
  RetryPolicy,
  RunContext,
  StepContext,
  StepOptions,
} from './runs/run-context.ts';
export type { GraphNode, GraphState, GraphVisit, RunGraph } from './runs/run-graph.ts';
export {
  type AnyRunKind,
  type Choices,
  defineRun,
  type FunctionKind,
  type GraphKind,
  type RunKindName,
} from './runs/run-kind.ts';
export {
  type Budget,
  type Concurrency,
  conflictRules,
  type PlanRerun,
  type RerunPlan,
  type Run,
  type RunCaller,
  type RunCount,
  type RunDetail,
  type RunError,
  type RunEvent,
  type RunOfCall,
  type RunPage,
  type RunQuery,
  type RunScope,
  type RunStatus,
  type RunStep,
  type Runs,
  type RunUsage,
  type WaitForRun,
} from './runs/runs.ts';
export type { Secrets } from './secrets.ts';
export type { SessionScope, Sessions } from './session-scope.ts';
export {
  type Span,
  type SpanLink,
  type Spans,
  type TraceRecord,
  type Traces,
  traceEventTypes,
} from './spans.ts';
export type { AnyDatabase, Dialect, Hold, Migration, Store } from './store.ts';
export { TEXT_META_KEY } from './text-meta.ts';
export { type AnyTool, type BudgetClass, defineTool, type ToolDefinition, type ToolHints } from './tool.ts';
export type { ArgumentFault, ToolCaller, ToolCallResult, ToolSummary } from './tool-caller.ts';
export { type ErrorCode, isToolError, ToolError } from './tool-error.ts';
export type {
  CataloguedTool,
  OpenedToolbox,
  ToolAddress,
  ToolboxCaller,
  Toolboxes,
  ToolboxFault,
  ToolboxServer,
  ToolboxSummary,
  ToolCatalogue,
} from './toolboxes.ts';
export type { WorkerOutcome, WorkerPool, WorkerPoolOptions, Workers } from './workers.ts';
