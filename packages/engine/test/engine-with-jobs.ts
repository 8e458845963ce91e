import type { JobRun } from '@nexus/core';
import type { AnyRunKind, ToolCallResult } from '@nexus/plugin-sdk';
import { type EngineUnderTest, type Place, startEngine } from './engine-under-test.ts';

/** A process whose jobs call a tool that is a run. */
export function startWithJobs(place: Place, called: AnyRunKind) {
  async function call({ signal: own, idempotencyKey: key }: JobRun): Promise<ToolCallResult> {
    const { id } = await process.runs.start(called, null, { caller: { session: { id: 's' } }, key });
    await process.runs.wait(id, { signal: own });
    return { content: [], structuredContent: {} };
  }
  const process: EngineUnderTest = startEngine(place, [called], { rerun: (_, run) => call(run) });
  const job = { tool: 'work', arguments: {}, sessionId: 's', mayRunTwice: true, run: call };
  return { process, start: () => process.engine.jobs.start(job) };
}
