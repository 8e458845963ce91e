import {
  type ConversationStep,
  type ConversationSteps,
  type ConversationTool,
  type ConverseRequest,
  contextWith,
  fence,
  isToolError,
  nearestNames,
  type ToolResult,
  type ToolUse,
} from '@nexus/plugin-sdk';
import { joinSignals, untilAborted } from '@nexus/primitives';
import type { LoopGuard } from './loop-guard.ts';
import { failedResult, toToolResult } from './result-content.ts';
import { tellTurn } from './tell-turn.ts';

/** More in one turn is a model gone astray. */
const MAX_USES = 64;
/** What a tool of the reading kit answers at most fits. */
const DEFAULT_MAX_RESULT_CHARS = 24_000;
const DEFAULT_TOOL_TIMEOUT_MS = 300_000;

export interface TurnOfTools {
  readonly turn: number;
  readonly uses: readonly ToolUse[];
  readonly request: ConverseRequest;
  readonly steps: ConversationSteps;
  readonly guard: LoopGuard;
  readonly signal: AbortSignal;
}

/**
 * Calls what the model asked for in one turn and answers every use, in order: an error, a refusal and a
 * cancel are results too. Side by side only where every tool of the turn is read-only.
 * @throws only what the steps throw, but for NEXUS_OUTCOME_UNKNOWN: that is the one call's
 */
export async function callTools(turn: TurnOfTools): Promise<ToolResult[]> {
  const tools = new Map(turn.request.tools.map((tool) => [tool.name, tool]));
  const run = async (use: ToolUse, index: number) => {
    tellTurn(turn.request, { type: 'tool_use', turn: turn.turn, use });
    const result =
      index < MAX_USES
        ? await callOne(use, tools, turn)
        : failedResult(use, `Not called: at most ${MAX_USES} tools are called in one turn.`);
    tellTurn(turn.request, { type: 'tool_result', turn: turn.turn, use, result });
    return result;
  };
  const isParallel = turn.uses.every((use) => tools.get(use.name)?.isReadOnly ?? true);
  if (!isParallel) {
    const results: ToolResult[] = [];
    for (const [index, use] of turn.uses.entries()) results.push(await run(use, index));
    return results;
  }
  // Each is let end before a failure leaves: what a sibling did is not to be thrown away.
  const settled = await Promise.allSettled(turn.uses.map(run));
  return settled.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

async function callOne(
  use: ToolUse,
  tools: ReadonlyMap<string, ConversationTool>,
  { turn, request, steps, guard, signal }: TurnOfTools,
): Promise<ToolResult> {
  if (signal.aborted) return failedResult(use, `Not called: ${reasonOf(signal.reason)}`);
  // What was asked for and not called is on record as what was called is: it failed.
  const notCalled = async (why: string) => {
    const failed = failedResult(use, why);
    return signal.aborted ? failed : steps.tool(turn, use, async () => failed);
  };
  const tool = tools.get(use.name);
  if (!tool) return notCalled(unknownTool(use.name, [...tools.keys()]));
  if (use.fault !== undefined) return notCalled(`Not called: ${use.fault}`);
  const objection = guard.objection(use);
  if (objection !== undefined) return notCalled(objection);
  const refusal = await refusalOf(use, tool, request, signal);
  if (refusal !== undefined) return notCalled(refusal);
  const result = await steps
    .tool(turn, use, (step) => answer(use, tool, request, step))
    .catch((error: unknown) => unknownOutcome(error, use));
  guard.seen(use, result);
  return result;
}

/** Its server died in the middle of a call that must not be made twice: the model is told, and goes on. */
function unknownOutcome(error: unknown, use: ToolUse): ToolResult {
  if (!isToolError(error) || error.code !== 'NEXUS_OUTCOME_UNKNOWN') throw error;
  return failedResult(use, `What came of ${use.name} is not known: ${error.message}`);
}

/** Why a tool that changes something may not be called; undefined when it may. */
async function refusalOf(
  use: ToolUse,
  tool: ConversationTool,
  { approve }: ConverseRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (tool.isReadOnly) return undefined;
  if (!approve) return `Not called: ${use.name} is not read-only, and nobody here may allow it.`;
  try {
    const approval = await untilAborted(approve(use, tool), signal);
    return approval.isGiven ? undefined : `Not called: ${approval.reason}`;
  } catch (error) {
    if (!signal.aborted) throw error;
    return `Not called: ${reasonOf(signal.reason)}`;
  }
}

async function answer(
  use: ToolUse,
  tool: ConversationTool,
  {
    maxResultChars = DEFAULT_MAX_RESULT_CHARS,
    toolTimeoutMs = DEFAULT_TOOL_TIMEOUT_MS,
    keep,
  }: ConverseRequest,
  step: ConversationStep,
): Promise<ToolResult> {
  const timeout = AbortSignal.timeout(toolTimeoutMs);
  using signal = joinSignals(step.signal, timeout);
  try {
    const result = await untilAborted(tool.call(use.input, contextWith(step, { signal })), signal);
    return await toToolResult(use, result, { maxChars: maxResultChars, keep });
  } catch (error) {
    if (step.signal.aborted) return failedResult(use, `Ended: ${reasonOf(step.signal.reason)}`);
    // Thrown and not answered, it is the run's own: that pauses, and makes the call again when it goes on.
    if (isToolError(error) && error.code === 'NEXUS_BUDGET_EXCEEDED') throw error;
    if (timeout.aborted) return failedResult(use, `${use.name} did not answer within ${toolTimeoutMs} ms.`);
    // What it says may be what a server said.
    return failedResult(use, fence(`the failure of tool ${use.name}`, reasonOf(error)));
  }
}

function unknownTool(name: string, known: readonly string[]): string {
  const nearest = nearestNames(name, known);
  const hint = nearest.length > 0 ? ` Did you mean ${nearest.join(', ')}?` : '';
  return `Not called: there is no tool ${JSON.stringify(name)}.${hint}`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
