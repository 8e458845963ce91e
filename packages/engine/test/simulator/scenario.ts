import type { RunLimits } from '../../src/worker/worker-options.ts';
import { extended } from './extensions.ts';
import { ofGoneOn } from './gone-on.ts';
import type { Chance } from './ground/chance.ts';
import { chanceOf } from './ground/chance.ts';
import { ofLeftJobs } from './left-jobs.ts';
import type { Crowd, Elders } from './outside/crowd.ts';
import { type Appetite, drawProgram, type Program, tokensOf } from './outside/program.ts';
import { profiled } from './profiles.ts';
import { withRarities } from './rarities.ts';

/** Work that somebody outside wants done. */
export interface Errand {
  readonly id: number;
  readonly atMs: number;
  readonly program: Program;
  readonly how: 'run' | 'job';
  /** Asked again under its key wherever it was lost. */
  readonly isKeyed: boolean;
  /** Two ask at once, by one key. */
  readonly isAskedTwice: boolean;
  readonly capTokens?: number;
  readonly cancelAfterMs?: number;
  /** Its work lies on the machine that it was begun on. */
  readonly isBound?: boolean;
  /** Its run is of a plugin that servers may be without. */
  readonly isGuest?: boolean;
  /** Once it is done it is run again from a step, so far in. */
  readonly rerunFrom?: number;
  /** It is cancelled, or what is within it, and gone on with under its key or by its id. */
  readonly goesOn?: {
    readonly by: 'key' | 'id';
    readonly cancels: readonly { readonly afterMs: number; readonly isWithin: boolean }[];
  };
}

export type FaultKind =
  | 'kill'
  | 'end'
  | 'stop'
  | 'lost'
  | 'unanswered'
  | 'cut'
  | 'cut off'
  | 'away'
  | 'restart'
  | 'slow';

/** One thing that goes wrong, and when. */
export interface Fault {
  readonly what: FaultKind;
  /** At the n-th thing of its sort, and so much later. */
  readonly at: 'step' | 'answer' | 'commit' | 'statement';
  readonly nth: number;
  readonly plusMs: number;
  /** How long it lasts, where it lasts. */
  readonly ms: number;
  /** Whom it befalls, where what it waits for names nobody. */
  readonly slot: number;
}

/** All of one world that chance does not decide on the way. */
export interface Scenario {
  readonly seed: string;
  readonly dialect: 'sqlite' | 'postgres';
  readonly slots: number;
  readonly isSkewed: boolean;
  readonly errands: readonly Errand[];
  readonly faults: readonly Fault[];
  readonly limits?: RunLimits;
  /** Commands that see to what somebody waits for at them, and no server that sees to all. */
  readonly isUnserved?: boolean;
  /** What has ended is forgotten at once. */
  readonly isSwept?: boolean;
  readonly crowd?: Crowd;
  readonly elders?: Elders;
  /** How long a run that only waits is kept at hand. */
  readonly parkAfterMs?: number;
  /** People answer what they expect to be asked. */
  readonly isAnsweredAhead?: boolean;
  readonly absence?: Absence;
  /** So many processes die as they are about to tell what the run of a job came to. */
  readonly untoldDeaths?: number;
}

/** Some servers are started anew without a plugin, and later with it. */
export interface Absence {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly slots: readonly number[];
}

/**
 * Each tenth world is one of few faults that rarely meet by chance alone, each tenth one with what most do without, each
 * twentieth one with what few do, each twentieth one of jobs that are left, and each twentieth one of runs that are gone on
 * with.
 */
export function scenarioOf(seed: number | string): Scenario {
  const scenario = drawScenario(seed);
  if (Number(seed) % 10 === 0) return profiled(scenario, chanceOf(`profile ${seed}`));
  if (Number(seed) % 10 === 5) return extended(scenario, chanceOf(`extension ${seed}`));
  if (Number(seed) % 20 === 13) return withRarities(scenario, chanceOf(`rarity ${seed}`));
  if (Number(seed) % 20 === 17) return ofGoneOn(scenario, chanceOf(`gone on ${seed}`));
  return Number(seed) % 20 === 3 ? ofLeftJobs(scenario, chanceOf(`left jobs ${seed}`)) : scenario;
}

function drawScenario(seed: number | string): Scenario {
  const chance = chanceOf(`scenario ${seed}`);
  const slots = chance.pick([1, 2, 2, 3]);
  const appetite = drawAppetite(chance);
  const errands = Array.from({ length: chance.pick([1, 1, 2, 3]) }, (_, id) =>
    drawErrand(chance, appetite, id),
  );
  const kinds = drawKinds(chance);
  const faults = Array.from({ length: kinds.length === 0 ? 0 : chance.whole(1, 6) }, () =>
    drawFault(chance, chance.pick(kinds), slots),
  );
  return {
    seed: String(seed),
    dialect: chance.is(0.6) ? 'postgres' : 'sqlite',
    slots,
    isSkewed: chance.is(0.3),
    errands,
    faults,
  };
}

/** Each seed leaves some of it out: what only happens where something else does not is found, too. */
function drawAppetite(chance: Chance): Appetite {
  const some = (weight: number, share = 0.5) => (chance.is(share) ? weight : 0);
  return {
    model: 5,
    effect: some(2),
    sleep: some(1, 0.4),
    ask: some(2, 0.4),
    value: some(1, 0.3),
    event: some(1, 0.3),
    together: some(2),
    child: some(2),
    call: some(2),
  };
}

function drawErrand(chance: Chance, appetite: Appetite, id: number): Errand {
  const program = drawProgram(chance, appetite, chance.whole(1, 7));
  const tokens = tokensOf(program);
  const how = chance.is(0.4) ? 'job' : 'run';
  return {
    id,
    atMs: chance.between(0, 2_000),
    program,
    how,
    isKeyed: chance.is(0.8),
    isAskedTwice: chance.is(0.2),
    ...(how === 'run' && chance.is(0.2) && tokens > 0
      ? { capTokens: Math.round(tokens * chance.between(0.5, 6)) }
      : {}),
    ...(chance.is(0.08) ? { cancelAfterMs: chance.between(10, 4_000) } : {}),
  };
}

function drawKinds(chance: Chance): readonly FaultKind[] {
  const all: FaultKind[] = [
    'kill',
    'kill',
    'end',
    'stop',
    'lost',
    'unanswered',
    'cut',
    'away',
    'restart',
    'slow',
  ];
  if (chance.is(0.03)) return [];
  if (chance.is(0.3)) return ['kill'];
  const some = all.filter(() => chance.is(0.4));
  return some.length === 0 ? ['kill'] : some;
}

function drawFault(chance: Chance, what: FaultKind, slots: number): Fault {
  const slot = chance.whole(0, slots - 1);
  const ms =
    what === 'stop'
      ? chance.pick([chance.between(100, 5_000), chance.between(31_000, 60_000)])
      : chance.pick([chance.between(50, 1_000), chance.between(1_000, 12_000)]);
  if (what === 'lost') return { what, at: 'statement', nth: chance.whole(1, 250), plusMs: 0, ms, slot };
  if (what === 'unanswered') return { what, at: 'commit', nth: chance.whole(1, 40), plusMs: 0, ms, slot };
  const at = chance.pick(['step', 'answer', 'commit'] as const);
  const nth =
    at === 'step' ? chance.whole(1, 1_500) : at === 'answer' ? chance.whole(1, 8) : chance.whole(1, 40);
  const plusMs = chance.is(0.5)
    ? 0
    : chance.pick([chance.between(0, 3), chance.between(0, 60), chance.between(0, 2_000)]);
  return { what, at, nth, plusMs, ms, slot };
}
