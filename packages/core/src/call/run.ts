import type { ToolCaller, ToolCallResult } from '@nexus/plugin-sdk';
import type { Deadlines } from '../timeouts/deadline.ts';
import type { ParsedCall } from './call.ts';
import { CallContext } from './call-context.ts';
import type { OuterCall } from './lifetime.ts';
import { withinTime } from './within-time.ts';

export interface RunSurroundings {
  readonly deadlines: Deadlines;
  /** The other tools, for one that runs in `context`. */
  toolsFor(call: ParsedCall, context: OuterCall): ToolCaller;
}

/** Runs the tool, with what it may know of its call, under the call's deadline. */
export function run(call: ParsedCall, { deadlines, toolsFor }: RunSurroundings): Promise<ToolCallResult> {
  return withinTime(call, deadlines, (deadline, report) =>
    call.tool.run(
      call.parsed.value,
      new CallContext(call, { deadline, report, toolsOf: (context) => toolsFor(call, context) }),
    ),
  );
}
