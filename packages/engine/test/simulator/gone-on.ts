import type { Chance } from './ground/chance.ts';
import { drawProgram, withActs } from './outside/program.ts';
import type { Errand, Scenario } from './scenario.ts';

/** Runs within runs, with what must not be done twice. */
const APPETITE = {
  model: 3,
  effect: 3,
  child: 2,
  call: 4,
  sleep: 1,
  ask: 0,
  value: 0,
  event: 0,
  together: 0,
};

/** A world of runs that are cancelled, whole or only what is within them, or fail at their end, and are gone on with. */
export function ofGoneOn(scenario: Scenario, chance: Chance): Scenario {
  const isSideBySide = chance.is(0.5);
  const breaks = chance.is(0.5) ? 2 : 0;
  const appetite = { ...APPETITE, breaks, together: isSideBySide ? 3 : 0 };
  const errands = Array.from({ length: chance.whole(1, 2) }, (_, id): Errand => {
    const program = drawProgram(chance, appetite, chance.whole(4, 9));
    return {
      id,
      atMs: chance.between(0, 1_000),
      program: withActs(program, (act) => (act.act === 'effect' ? { ...act, isTold: true } : act)),
      how: 'run',
      isKeyed: true,
      isAskedTwice: false,
      goesOn: {
        by: chance.pick(['key', 'id'] as const),
        cancels: Array.from({ length: chance.whole(1, 3) }, () => ({
          afterMs: chance.between(10, 3_000),
          isWithin: chance.is(0.4),
        })),
      },
    };
  });
  return { ...scenario, errands, faults: chance.is(0.5) ? [] : scenario.faults };
}
