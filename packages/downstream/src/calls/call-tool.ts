import { ConnectionError } from '@nexus/client';
import { AnsweredError, type CallerContext, mayRetry, ProtocolError } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import type { Spans, ToolCallResult, ToolHints } from '@nexus/plugin-sdk';
import { withOwnAddresses } from '../addresses/own-addresses.ts';
import { outcomeUnknown, unavailable } from '../leases/connection-errors.ts';
import type { Callable, Lease } from '../leases/lease.ts';
import type { OfferedServer } from '../server-address.ts';
import { callAsTask } from './call-as-task.ts';
import { passedMeta } from './call-meta.ts';
import { inClientSpan } from './client-span.ts';

/** A tool of a server, and what may be done when its connection is lost. */
export interface CalledTool {
  readonly from: OfferedServer;
  /** As the server names it. */
  readonly name: string;
  readonly hints: ToolHints;
  /** Whether the server answers it as a task only. */
  readonly needsTask: boolean;
  lease(sessionId: string): Lease;
  /** Where calls tell how they went; by default nowhere. */
  readonly spans?: Spans | undefined;
}

/**
 * Passes a call to its server and the result back, both as they are.
 * @throws {AnsweredError} the server's own error
 * @throws {ToolError} NEXUS_UNAVAILABLE; NEXUS_CONFLICT for a tool that is held back; NEXUS_OUTCOME_UNKNOWN where
 * the connection was lost and the tool may not run twice
 */
export function callTool(tool: CalledTool, args: Members, context: CallerContext): Promise<ToolCallResult> {
  const lease = tool.lease(context.session.id);
  // Not by `using` or `await`: what they are lowered to costs more than all else of a short call.
  const over = () => lease[Symbol.dispose]();
  const called = inTwoAttempts(tool, (how) => attempt(tool, { lease, args, context, ...how }));
  called.then(over, over);
  const named = called.then((result) => withOwnAddresses(result, lease.address));
  // The shape of a result is its server's promise, which the caller's client checks.
  return named as Promise<unknown> as Promise<ToolCallResult>;
}

interface Calling {
  readonly lease: Lease;
  readonly args: Members;
  readonly context: CallerContext;
  readonly isAgain: boolean;
}

function attempt(tool: CalledTool, { lease, args, context, isAgain }: Calling): Promise<Members> {
  const call = (server: Callable) => {
    const onProgress = progressOf(context);
    return inClientSpan(tool, { lease, context }, (trace, onId) => {
      const params = { name: tool.name, arguments: args, _meta: passedMeta(context.meta, trace) };
      return tool.needsTask
        ? callAsTask(server, params, { end: context.end, signal: context.signal, onProgress, onId })
        : server.request('tools/call', params, { signal: context.end, onProgress, onId });
    });
  };
  return lease.during(context, () =>
    lease.isConnected
      ? lease.call(tool.name, call)
      : connect(tool, isAgain ? lease.connectAgain() : lease.connect()).then(() =>
          lease.call(tool.name, call),
        ),
  );
}

/** Again where the connection was lost and nothing speaks against it, however often that was so before. */
function inTwoAttempts(
  tool: CalledTool,
  make: (how: Pick<Calling, 'isAgain'>) => Promise<Members>,
): Promise<Members> {
  const last = (error: unknown) => {
    if (error instanceof ProtocolError) throw new AnsweredError(whoseOf(tool), error, error);
    if (!(error instanceof ConnectionError)) throw error;
    throw mayAgain(tool, error) ? unavailable(tool.from, error) : outcomeUnknown(tool.from, tool.name, error);
  };
  return make({ isAgain: false }).catch((error: unknown) => {
    if (!(error instanceof ConnectionError) || !mayAgain(tool, error)) return last(error);
    // What reached no server was refused by what is known of it, which stands.
    return make({ isAgain: !error.isUnsent }).catch(last);
  });
}

function whoseOf({ from: { toolbox, server } }: CalledTool): string {
  return `${toolbox}/${server}`;
}

async function connect({ from }: CalledTool, connecting: Promise<void>): Promise<void> {
  await connecting.catch((error: unknown) => {
    throw unavailable(from, error);
  });
}

function mayAgain({ hints }: CalledTool, { isUnsent }: ConnectionError): boolean {
  return isUnsent || mayRetry(hints);
}

/** Only for a caller that listens: some servers do work to report it. */
function progressOf({ meta, progress }: CallerContext): ((report: Members) => void) | undefined {
  if (meta.progressToken === undefined) return undefined;
  return ({ message, progress: done, total }) =>
    progress(typeof message === 'string' ? message : undefined, numberOf(done), numberOf(total));
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
