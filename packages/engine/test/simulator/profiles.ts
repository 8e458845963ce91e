import type { Chance } from './ground/chance.ts';
import { type Appetite, drawProgram, type Program, withActs, withModels } from './outside/program.ts';
import type { Errand, Fault, Scenario } from './scenario.ts';

/** What a world is about; the rest of it is as it was drawn. */
interface Profile {
  readonly appetite: Partial<Appetite>;
  readonly program?: (program: Program, chance: Chance) => Program;
  readonly faults: (chance: Chance, slot: number) => readonly Fault[];
  /** At least so many processes. */
  readonly slots: number;
}

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

const PROFILES: readonly Profile[] = [
  // Whoever made a start or a claim hears nothing of it, and gives up before the store is back: so no calls of tools.
  {
    appetite: { model: 4, child: 2, together: 1 },
    slots: 1,
    faults(chance, slot) {
      const at = { at: 'commit', nth: chance.whole(1, 20), plusMs: 0, slot } as const;
      const ms = chance.between(77_000, 100_000);
      return [
        { ...at, what: 'unanswered', ms },
        { ...at, what: 'away', plusMs: 1, ms }, // the commit itself arrives
      ];
    },
  },
  // A process dies while it still makes something of what it was answered.
  {
    appetite: { model: 4, together: 1, child: 1 },
    slots: 2,
    program: (program, chance) =>
      withModels(program, (act) => ({ ...act, afterMs: chance.between(50, 2_000) })),
    faults: (chance, slot) => [
      {
        what: 'kill',
        at: 'answer',
        nth: chance.whole(1, 6),
        plusMs: chance.between(15, 1_500),
        ms: 0,
        slot,
      },
    ],
  },
  // They stand still between a step that has begun and the call that it pays for.
  {
    appetite: { model: 4, together: 1, child: 1 },
    slots: 2,
    faults: (chance, slot) =>
      [1, 8, 15].map((nth) => ({
        what: 'stop' as const,
        at: 'commit' as const,
        nth: chance.whole(nth, nth + 6),
        plusMs: 0,
        ms: chance.between(36_000, 60_000),
        slot,
      })),
  },
  // Servers end while steps begin runs.
  {
    appetite: { model: 1, call: 4, together: 1 },
    slots: 2,
    faults: (chance, slot) =>
      Array.from({ length: 4 }, () => ({
        what: 'end' as const,
        at: 'commit' as const,
        nth: chance.whole(1, 40),
        plusMs: chance.between(0, 3),
        ms: 0,
        slot,
      })),
  },
  // A model refuses as often as a policy bears, and attempts are cut short between.
  {
    appetite: { model: 4, together: 1 },
    slots: 2,
    program: (program) => withModels(program, (act) => ({ ...act, failures: 3 })),
    faults: (chance, slot) => [
      { what: 'kill', at: 'step', nth: chance.whole(40, 400), plusMs: 0, ms: 0, slot },
      { what: 'kill', at: 'answer', nth: 1, plusMs: chance.between(0, 3), ms: 0, slot },
    ],
  },
  // Families in which all that is done is to wait, once for longer than they are kept at hand.
  {
    appetite: { model: 1, call: 3, child: 1, sleep: 2 },
    slots: 1,
    program(program, chance) {
      let isLong = true;
      return withActs(program, (act) => {
        if (act.act !== 'sleep' || !isLong) return act;
        isLong = false;
        return { ...act, ms: chance.between(60_000, 90_000) };
      });
    },
    faults: (chance, slot) => [
      { what: 'kill', at: 'commit', nth: chance.whole(1, 30), plusMs: chance.between(0, 50), ms: 0, slot },
    ],
  },
];

/** The world about one of them. */
export function profiled(scenario: Scenario, chance: Chance): Scenario {
  const { appetite, program = (drawn: Program) => drawn, faults, slots } = chance.pick(PROFILES);
  const redrawn = (errand: Errand): Errand => {
    const { capTokens: _, cancelAfterMs: __, ...kept } = errand;
    const drawn = drawProgram(chance, { ...NONE, ...appetite }, chance.whole(2, 6));
    return { ...kept, program: program(drawn, chance) };
  };
  return {
    ...scenario,
    slots: Math.max(slots, scenario.slots),
    errands: scenario.errands.map(redrawn),
    faults: faults(chance, chance.whole(0, scenario.slots - 1)),
  };
}
