import type { Chance } from './ground/chance.ts';
import { drawProgram } from './outside/program.ts';
import type { Errand, Scenario } from './scenario.ts';

type Extension = (scenario: Scenario, chance: Chance) => Scenario;

const EXTENSIONS: readonly Extension[] = [
  // More runs than there is room for, in a process and in all of them.
  (scenario, chance) => ({
    ...scenario,
    limits: { runsPerProcess: chance.whole(1, 2), runsPerProject: chance.whole(1, 3) },
    errands: Array.from({ length: chance.whole(5, 9) }, (_, id) => small(chance, id)),
  }),
  // Work that can go on only on the machine where it was begun.
  (scenario) => ({
    ...scenario,
    slots: Math.max(2, scenario.slots),
    errands: scenario.errands.map((errand) => ({ ...errand, isBound: true })),
  }),
  // Servers that nothing comes from or goes to for a while, and whose sessions the database keeps.
  (scenario, chance) => ({
    ...scenario,
    dialect: 'postgres',
    slots: Math.max(2, scenario.slots),
    faults: Array.from({ length: chance.whole(1, 2) }, () => ({
      what: 'cut off' as const,
      at: chance.pick(['step', 'answer', 'commit'] as const),
      nth: chance.whole(1, 20),
      plusMs: chance.between(0, 60),
      ms: chance.pick([chance.between(1_000, 15_000), chance.between(40_000, 70_000)]),
      slot: chance.whole(0, 1),
    })),
  }),
  (scenario) => ({ ...scenario, isUnserved: true }),
  (scenario, chance) => ({
    ...scenario,
    errands: scenario.errands.map((errand) => ({ ...errand, how: 'run', rerunFrom: chance.next() })),
  }),
  (scenario) => ({ ...scenario, isSwept: true }),
];

/** The world with one thing that most do without. */
export function extended(scenario: Scenario, chance: Chance): Scenario {
  return chance.pick(EXTENSIONS)(scenario, chance);
}

function small(chance: Chance, id: number): Errand {
  const appetite = { model: 3, sleep: 1, child: 1, ask: 1, call: 1 };
  const others = { effect: 0, value: 0, event: 0, together: 0 };
  return {
    id,
    atMs: chance.between(0, 1_000),
    program: drawProgram(chance, { ...others, ...appetite }, chance.whole(1, 3)),
    how: chance.is(0.3) ? 'job' : 'run',
    isKeyed: chance.is(0.8),
    isAskedTwice: false,
  };
}
