import {
  type Caller,
  type ClientRequests,
  type Dispatcher,
  invalidParams,
  isRecord,
  type LeftOut,
  type Registry,
  toErrorResult,
  type Wire,
} from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import type { AnsweredBy, MayRepeat } from '@nexus/core/told-to-bridge';
import { ToolError } from '@nexus/plugin-sdk';
import type { Handler } from './handler.ts';
import { seesNoLimits, withLimitsInWords } from './limits-in-words.ts';
import { EVERY_TOOL_META_KEY, listEveryTool } from './list-every-tool.ts';
import type { ProgressSender } from './progress-sender.ts';
import type { ResultLimiter } from './results/result-limiter.ts';
import { createTask } from './serve-tasks.ts';

/** `tools/list` and `tools/call`, by method. */
export function serveTools(session: {
  mayCall: boolean;
  registry: Registry;
  dispatcher: Dispatcher;
  caller: Caller;
  ask(requestId: string | number): ClientRequests;
  /** How a request of this session came in. */
  wire(requestId: string | number): Wire;
  readonly progress: ProgressSender;
  /** Where a process stands between that makes calls again whose server died: tells it what may be. */
  readonly tellRepeat: ((told: MayRepeat) => void) | undefined;
  readonly tellRun: ((told: AnsweredBy) => void) | undefined;
  hasGone(): boolean;
  /** Called as the list is answered. */
  listed(): void;
  /** Of which servers the list does not have all tools. */
  leftOut(): readonly LeftOut[];
  /** Whether this session's calls have a model to ask. */
  hasModel(): Promise<boolean>;
  readonly limit: ResultLimiter;
}): Readonly<Record<string, Handler>> {
  const { mayCall, registry, dispatcher, caller, ask, wire, tellRepeat, tellRun, hasGone, limit } = session;
  return {
    // One page, whatever cursor is sent: hosts that ignore nextCursor would lose the rest.
    async 'tools/list'({ _meta }) {
      const hasModel = await session.hasModel();
      if (isRecord(_meta) && _meta[EVERY_TOOL_META_KEY] === true)
        return listEveryTool(registry, caller.session, hasModel);
      session.listed();
      const inWords = seesNoLimits(caller.client.name);
      return {
        ...leftOutPart(session.leftOut()),
        tools: registry
          .listed(caller.session, hasModel)
          // What another server lists passes through whole.
          .map(({ listing, origin }) =>
            inWords && origin === undefined ? withLimitsInWords(listing) : listing,
          ),
      };
    },
    'tools/call'(params, request) {
      const { end, requestId } = request;
      const isTask = isRecord(params.task);
      if (!mayCall) return refused(isTask);
      const progress = session.progress(params, isTask ? undefined : requestId);
      if (isTask) return createTask({ dispatcher, caller }, { params, signal: end }, progress);
      return dispatcher
        .call(caller, {
          params,
          signal: end,
          hasGone,
          progress,
          ask: ask(requestId),
          wire: wire(requestId),
          tellRepeat: tellRepeat && ((mayRepeat) => tellRepeat({ requestId, mayRepeat })),
          tellRun: tellRun && ((runId) => tellRun({ requestId, runId })),
          afterAnswer: (work) => request.afterAnswer(work),
        })
        .then((result) => limit(result, params.name) as unknown as Promise<Members>); // JSON, as every result is
    },
  };
}

/** In the `_meta` of `tools/list`: of which servers it does not have all tools, and how many are left out. */
const LEFT_OUT_META_KEY = 'nexus/leftOut';

function leftOutPart(leftOut: readonly LeftOut[]): Members {
  return leftOut.length === 0 ? {} : { _meta: { [LEFT_OUT_META_KEY]: leftOut } };
}

const MAY_LOOK =
  'Your token may look and not call: it lists tools, and reads resources and prompts. Ask whoever runs the server for one that may call.';

/** A refused call is a result, a refused task an error (MCP 2025-11-25, Tasks). */
async function refused(isTask: boolean): Promise<Members> {
  const error = new ToolError('NEXUS_DENIED', MAY_LOOK);
  const result = toErrorResult(error);
  if (isTask || !result) throw invalidParams(MAY_LOOK, { code: error.code });
  return result as unknown as Members; // JSON, as every result is
}
