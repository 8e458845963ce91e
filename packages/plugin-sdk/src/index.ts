export type {
  ElicitationAnswer,
  ElicitationRequest,
  SamplingAnswer,
  SamplingRequest,
} from './ask-client.ts';
export type { ContentAnnotations, ContentBlock, EmbeddedResource } from './content.ts';
export type { CallContext, Root, Trace } from './context.ts';
export type { Events } from './events.ts';
export type { Host } from './host.ts';
export type { Icon } from './icon.ts';
export type { FinishedJob, Job, JobQuery, JobScope, JobStatus, Jobs } from './jobs.ts';
export type { Log } from './log.ts';
export { matchesName } from './matches-name.ts';
export { addUsage, NO_USAGE } from './models/add-usage.ts';
export type {
  Approval,
  Conversation,
  ConversationEvent,
  ConversationStep,
  ConversationSteps,
  ConversationTool,
  ConverseRequest,
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
} from './models/generate.ts';
export type { Ledger, Reservation, Spend } from './models/ledger.ts';
export type { ModelBlock, ModelMessage, Reasoning, ToolResult, ToolUse } from './models/message.ts';
export { modelCaller } from './models/model-caller.ts';
export type { LookedUp, ModelEntry, ModelProvider, Models } from './models/models.ts';
export type { ModelOutcomes, OutcomeQuery, RouteRequest, Routing, ScoredModel } from './models/route.ts';
export { nearestNames } from './nearest-names.ts';
export { type AnyPlugin, definePlugin, type Plugin } from './plugin.ts';
export { programEnvironment } from './programs/program-environment.ts';
export type { Program, ProgramEnd, Programs } from './programs/programs.ts';
export type { PromptArgument, PromptContext, PromptDefinition, PromptMessage } from './prompt.ts';
export type { ResourceContext, ResourceDefinition, ResourceTemplateDefinition } from './resource.ts';
export {
  type Assignment,
  type ExpertRole,
  type ExpertTurnInput,
  type ExpertTurnOutput,
  expertRoles,
  expertTurn,
} from './runs/contracts/expert-turn.ts';
export {
  type Ballot,
  type VoteErrorPolicy,
  type VoteInput,
  type VoteOutcomeInput,
  type VoteOutcomeOutput,
  type VoteOutput,
  type VotingStrategy,
  vote,
  voteErrorPolicies,
  voteOutcome,
  votingStrategies,
} from './runs/contracts/vote.ts';
export { type BeginRun, beginRun } from './runs/for-calls/begin-run.ts';
export { capOf } from './runs/for-calls/cap-of.ts';
export { capOptions } from './runs/for-calls/cap-options.ts';
export { followRun } from './runs/for-calls/follow-run.ts';
export { takeUpRun } from './runs/for-calls/take-up-run.ts';
export type { Answer, AskedQuestion, Question } from './runs/question.ts';
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
  defineRun,
  type FunctionKind,
  type GraphKind,
  type RunContract,
  type RunKind,
  type RunKindName,
} from './runs/run-kind.ts';
export type {
  Budget,
  RerunOptions,
  RerunPlan,
  Run,
  RunCaller,
  RunDetail,
  RunError,
  RunEvent,
  RunOfCall,
  RunQuery,
  RunScope,
  RunStatus,
  RunStep,
  Runs,
  StartRun,
  WaitForRun,
} from './runs/runs.ts';
export type { Secrets } from './secrets.ts';
export type { AnyDatabase, Dialect, Hold, Migration, Store } from './store.ts';
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
