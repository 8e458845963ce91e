import type { Chance } from './ground/chance.ts';
import type { Crowd } from './outside/crowd.ts';
import { drawProgram } from './outside/program.ts';
import type { Errand, Scenario } from './scenario.ts';

type Extension = (scenario: Scenario, chance: Chance) => Scenario;

const EXTENSIONS: readonly Extension[] = [
  // More runs than there is room for, in a process and in all of them.
  (scenario, chance) => ({
    ...scenario,
    limits: { runsPerProcess: chance.whole(1, 2), runsPerProject: chance.whole(1, 3) },
    errands: Array.from({ length: chance.whole(5, 9) }, (_, id) => small(chance, id)),
    // Now and then so many that most wait until people give them up.
    ...(chance.is(0.2) ? { crowd: crowdOf(chance) } : {}),
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
  // Of what ended long ago only so many are kept, or so much.
  (scenario, chance) => {
    const count = chance.whole(30, 60);
    const most = chance.is(0.3) ? 0 : chance.whole(5, count - 10);
    const retention = chance.is(0.5) ? { families: most } : { bytes: most * 1_000 };
    return { ...scenario, elders: { count, bytes: 1_000, retention } };
  },
  // What only waits is left to the store almost at once.
  (scenario, chance) => ({ ...scenario, parkAfterMs: chance.between(0, 0.5) }),
];

/** The world with one thing that most do without. */
export function extended(scenario: Scenario, chance: Chance): Scenario {
  return chance.pick(EXTENSIONS)(scenario, chance);
}

function crowdOf(chance: Chance): Crowd {
  return { count: chance.whole(1_001, 1_100), sleepMs: chance.between(500, 3_000), givenUpAtMs: 4_000 };
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
