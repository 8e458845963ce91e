import type { Caller, CallRequest, Dispatcher, RegisteredTool, Registry } from '@nexus/core';

/** A call that a session is about to make, of a tool that may not be there. */
export interface CallToCome {
  readonly sessionId: string;
  readonly toolName: string;
  readonly tool: RegisteredTool | undefined;
}

/** @returns what the call waits for; undefined where it need not */
export type BeforeCall = (call: CallToCome) => Promise<void> | undefined;

/** A dispatcher whose clients' calls wait for what `before` answers. */
export function askingFirst(dispatcher: Dispatcher, registry: Registry, before: BeforeCall): Dispatcher {
  const ask = ({ session }: Caller, { params }: CallRequest) => {
    const toolName = String(params.name);
    // A session's own tools, such as those of its toolboxes, are there for it alone.
    return before({ sessionId: session.id, toolName, tool: registry.get(toolName, session) });
  };
  return {
    ...dispatcher,
    call(caller, request) {
      const asked = ask(caller, request);
      return asked ? asked.then(() => dispatcher.call(caller, request)) : dispatcher.call(caller, request);
    },
    async startTask(caller, request, ...rest) {
      await ask(caller, request);
      return dispatcher.startTask(caller, request, ...rest);
    },
  };
}
