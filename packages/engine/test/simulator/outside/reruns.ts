import { isToolError } from '@nexus/plugin-sdk';
import { stepKey } from '../../../src/record/step-key.ts';
import type { SimulatedProcess } from '../ground/process.ts';
import type { Errand } from '../scenario.ts';
import { ask, isPassing, LOST, type Outside, PATIENCE_MS, somebody } from './asking.ts';
import { outputFault } from './program.ts';

/** Somebody who has a run that is done run again from one of its steps: what is kept of it is not paid again. */
export async function runAgain(errand: Errand, runId: string, outside: Outside): Promise<void> {
  const { world, chance, endpoints } = outside;
  for (;;) {
    const process = await somebody(outside);
    const said = await ask(outside, process, (signal) => rerun(process, signal), PATIENCE_MS);
    const code = isToolError(said) ? said.code : undefined;
    if (said === LOST || (code !== undefined && isPassing(code))) {
      await world.wait(chance.between(100, 1_000), undefined, 'runs again');
      continue;
    }
    if (said instanceof Error) return world.wrong(`run ${runId} can’t be run again: ${said.message}`);
    const { run, kept } = said;
    if (run.error?.code === 'NEXUS_CRASHED') return; // judged by the record
    const fault =
      run.status === 'completed' ? outputFault(errand.program, run.output) : `the rerun is ${run.status}`;
    if (fault) world.wrong(`errand ${errand.id}, run again: ${fault}`);
    for (const name of kept) {
      if (endpoints.calls.has(stepKey(run.id, name)))
        world.wrong(`the step ${name} is kept in the rerun ${run.id}, and its call was made again`);
    }
    return;
  }

  async function rerun({ engine: { runs } }: SimulatedProcess, signal: AbortSignal) {
    const { steps } = await runs.get(runId);
    const name = steps[Math.floor((errand.rerunFrom ?? 0) * steps.length)]?.name;
    const from = name === undefined ? {} : { from: name };
    const { kept } = await runs.planRerun(runId, from);
    const { id } = await runs.rerun(runId, { ...from, key: `again-${errand.id}` });
    return { kept, run: await runs.wait(id, { signal, toldTo: {} }) };
  }
}
