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

/** A world of jobs that are left: by processes that die as they are to tell what a run came to, or are without its plugin. */
export function ofLeftJobs(scenario: Scenario, chance: Chance): Scenario {
  const errands = scenario.errands.map((errand): Errand => {
    const { capTokens: _, cancelAfterMs: __, ...kept } = errand;
    return { ...kept, how: 'job', isKeyed: true, program: drawProgram(chance, APPETITE, chance.whole(1, 3)) };
  });
  const drawn = { ...scenario, errands, faults: chance.is(0.7) ? [] : scenario.faults };
  return chance.is(0.5) ? { ...drawn, untoldDeaths: chance.whole(1, 6) } : withoutPlugin(drawn, chance);
}

/** Some servers, or all, are without the plugin of some jobs for a while that begins as they are under way. */
function withoutPlugin(scenario: Scenario, chance: Chance): Scenario {
  const fromMs = chance.between(300, 4_000);
  const all = Array.from({ length: scenario.slots }, (_, slot) => slot);
  return {
    ...scenario,
    errands: scenario.errands.map((errand) => ({ ...errand, isGuest: chance.is(0.6) })),
    absence: {
      fromMs,
      untilMs: fromMs + chance.between(15_000, 60_000),
      slots: chance.is(0.6) ? all : [chance.pick(all)],
    },
  };
}
