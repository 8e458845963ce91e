import type { Chance } from './ground/chance.ts';
import { drawProgram } from './outside/program.ts';
import type { Errand, Scenario } from './scenario.ts';

const APPETITE = {
  model: 4,
  sleep: 1,
  value: 1,
  child: 1,
  effect: 0,
  ask: 0,
  event: 0,
  together: 0,
  call: 0,
};

/** A world of jobs whose processes die between the end of a run and what the job tells of it. */
export function ofLeftJobs(scenario: Scenario, chance: Chance): Scenario {
  const errands = scenario.errands.map((errand): Errand => {
    const { capTokens: _, cancelAfterMs: __, ...kept } = errand;
    return { ...kept, how: 'job', isKeyed: true, program: drawProgram(chance, APPETITE, chance.whole(1, 3)) };
  });
  return {
    ...scenario,
    errands,
    faults: chance.is(0.7) ? [] : scenario.faults,
    untoldDeaths: chance.whole(1, 6),
  };
}
