import type { Deadline, Deadlines } from '../timeouts/deadline.ts';
import { noProgress, startProgress } from '../timeouts/progress.ts';
import type { Call } from './call.ts';
import { type OuterCall, outerOf } from './lifetime.ts';

/**
 * Holds work for a call within its time, and tells its client of it while it lasts: by the outer call's
 * heartbeat where there is one, else by its own.
 * @throws {ToolError} what ended the call's time, also before the work began
 */
export function withinTime<Result>(
  call: Call,
  deadlines: Deadlines,
  work: (deadline: Deadline, report: OuterCall['progress']) => Promise<Result>,
): Promise<Result> {
  const { tool, budgetMs, lifetime } = call;
  const outer = outerOf(lifetime);
  const deadline = deadlines.start({
    toolName: tool.name,
    budgetMs,
    outerAt: outer?.deadline,
    caller: lifetime.end,
  });
  const progress = call.progress ? startProgress(tool.name, call.progress) : noProgress;
  // Not by `using` or `await`: what those are lowered to costs a tenth of a short call.
  const over = () => {
    progress[Symbol.dispose]();
    deadline[Symbol.dispose]();
  };
  try {
    if (deadline.reason) throw deadline.reason;
    const raced = deadline.race(work(deadline, outer?.progress ?? progress.report));
    raced.then(over, over);
    return raced;
  } catch (error) {
    over();
    return Promise.reject(error);
  }
}
