import type { Chance } from './ground/chance.ts';
import { type Appetite, drawProgram, withActs, withGuests } from './outside/program.ts';
import type { Errand, Scenario } from './scenario.ts';

type Rarity = (scenario: Scenario, chance: Chance) => Scenario;

const NONE: Appetite = {
  model: 0,
  effect: 0,
  sleep: 0,
  ask: 0,
  value: 0,
  event: 0,
  together: 0,
  child: 0,
  call: 0,
};

const RARITIES: readonly Rarity[] = [
  // People answer what has not been asked yet.
  (scenario, chance) => ({
    ...withPrograms(scenario, chance, { model: 2, ask: 4, together: 1, child: 1, sleep: 1 }),
    isAnsweredAhead: true,
  }),
  // A plugin is gone for a while, with runs of it under way beside others, most of which only wait.
  (scenario, chance) => {
    const drawn = withPrograms(scenario, chance, { model: 2, sleep: 4, child: 1, together: 1 });
    const fromMs = chance.between(300, 8_000);
    const all = Array.from({ length: drawn.slots }, (_, slot) => slot);
    return {
      ...drawn,
      errands: drawn.errands.map((errand) => ({
        ...errand,
        how: 'run',
        isGuest: chance.is(0.5),
        program: withGuests(longer(errand, chance), chance),
      })),
      parkAfterMs: chance.between(0, 500),
      absence: {
        fromMs,
        untilMs: fromMs + chance.between(15_000, 60_000),
        slots: chance.is(0.6) ? all : [chance.pick(all)],
      },
    };
  },
  // What waits is left to the store almost at once, and is answered before its time is over.
  (scenario, chance) => {
    const drawn = withPrograms(scenario, chance, { ask: 4, model: 3, effect: 1 });
    return {
      ...drawn,
      errands: drawn.errands.map((errand) => ({
        ...errand,
        program: withActs(errand.program, (act) =>
          act.act === 'ask' ? { ...act, timeoutMs: Math.round(chance.between(1_000, 20_000)) } : act,
        ),
      })),
      parkAfterMs: chance.between(0, 0.5),
    };
  },
];

/** The world with one thing that hardly any has. */
export function withRarities(scenario: Scenario, chance: Chance): Scenario {
  return chance.pick(RARITIES)(scenario, chance);
}

function withPrograms(scenario: Scenario, chance: Chance, appetite: Partial<Appetite>): Scenario {
  const redrawn = (errand: Errand): Errand => {
    const { capTokens: _, cancelAfterMs: __, ...kept } = errand;
    return { ...kept, program: drawProgram(chance, { ...NONE, ...appetite }, chance.whole(2, 6)) };
  };
  return {
    ...scenario,
    errands: scenario.errands.map(redrawn),
    faults: chance.is(0.5) ? [] : scenario.faults,
  };
}

/** With sleeps that end while the plugin is gone. */
function longer({ program }: Errand, chance: Chance) {
  return withActs(program, (act) =>
    act.act === 'sleep' ? { ...act, ms: chance.between(500, 30_000) } : act,
  );
}
