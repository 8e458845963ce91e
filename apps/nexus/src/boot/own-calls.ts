import { type Dispatcher, inScope } from '@nexus/core';
import type { Job, Log, Root, ToolCallResult } from '@nexus/plugin-sdk';
import { version } from '../version.ts';

/** Calls that nobody's connection makes: the server's own, with the rights of its user. */
export interface OwnCalls {
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<ToolCallResult>;
  /**
   * As a job, or the one that was started under the key.
   * @throws {ToolError} NEXUS_CONFLICT where the key stands for other arguments
   */
  start(tool: string, args: Readonly<Record<string, unknown>>, key: string): Promise<Job>;
}

/** The session that they are said to come from. */
const SESSION = 'schedule';

export function ownCalls({
  dispatcher,
  log,
  root,
}: {
  readonly dispatcher: Pick<Dispatcher, 'call' | 'startTask'>;
  readonly log: Log;
  readonly root: Root;
}): OwnCalls {
  const caller = { client: { name: 'nexus', version }, log, roots: async () => [root] };
  const request = (name: string, args: object) => ({
    params: { name, arguments: args },
    signal: new AbortController().signal,
  });
  return {
    call: (tool, args) =>
      inScope({ id: SESSION }, (session) => dispatcher.call({ ...caller, session }, request(tool, args))),
    // The job outlives this, with a scope of its own.
    start: (tool, args, key) =>
      inScope({ id: SESSION }, (session) =>
        dispatcher.startTask({ ...caller, session }, request(tool, { ...args, idempotencyKey: key })),
      ),
  };
}
