import type { Resumption, ToolCaller, ToolCallResult } from '@nexus/plugin-sdk';
import type { Deadline, Deadlines } from '../timeouts/deadline.ts';
import type { ParsedCall } from './call.ts';
import { CallContext } from './call-context.ts';
import { isWaitedFor, type OuterCall } from './lifetime.ts';
import { withinTime } from './within-time.ts';

/**
 * Has what `work` asks of the store wait while that is away, until the call's end, and holds the call's clock
 * meanwhile.
 */
export type WaitForStore = (
  call: Pick<Deadline, 'end' | 'hold'>,
  work: () => Promise<ToolCallResult>,
) => Promise<ToolCallResult>;

export interface RunSurroundings {
  readonly deadlines: Deadlines;
  /** For calls that no client waits by, which can wait; by default none does. */
  readonly waitForStore?: WaitForStore | undefined;
  /** The other tools, for one that runs in `context`. */
  toolsFor(call: ParsedCall, context: OuterCall): ToolCaller;
  /** Has the tool that a run is of go on with it, for one that runs in `context`. */
  resumeFor(
    call: ParsedCall,
    context: OuterCall,
    ...resumed: [kind: string, resumption: Resumption]
  ): Promise<ToolCallResult>;
}

/** Runs the tool, with what it may know of its call, under the call's deadline. */
export function run(
  call: ParsedCall,
  { deadlines, toolsFor, resumeFor, waitForStore }: RunSurroundings,
): Promise<ToolCallResult> {
  return withinTime(call, deadlines, (deadline, report) => {
    const work = () =>
      call.tool.run(
        call.parsed.value,
        new CallContext(call, {
          deadline,
          report,
          toolsOf: (context) => toolsFor(call, context),
          resume: (context, ...resumed) => resumeFor(call, context, ...resumed),
        }),
      );
    return waitForStore && !isWaitedFor(call.lifetime) ? waitForStore(deadline, work) : work();
  });
}
