import type Libsql from 'libsql';
import { forgetOld } from '../../src/record/forgetting.ts';
import { Hands } from './checks/hands.ts';
import { Watch, type Watched } from './checks/watch.ts';
import { type EmbeddedFile, embeddedStore } from './database/embedded.ts';
import { type PostgresServer, postgresStore } from './database/postgres.ts';
import type { Fate, Site } from './database/site.ts';
import { Tables } from './database/tables.ts';
import { chanceOf } from './ground/chance.ts';
import {
  begin as beginProcess,
  cutOff,
  kill,
  type SimulatedProcess,
  startProcess,
  stop,
} from './ground/process.ts';
import { type Actor, World } from './ground/world.ts';
import { answerAhead } from './outside/ahead.ts';
import type { Outside } from './outside/asking.ts';
import { type Elders, eldersFault, giveUpCrowd, placeElders, queueCrowd } from './outside/crowd.ts';
import { Endpoints } from './outside/endpoints.ts';
import { answerQuestion, runErrand } from './outside/errands.ts';
import { runGoneOn } from './outside/gone-on.ts';
import { letGoOn } from './outside/keeper.ts';
import { GUEST, programKinds } from './outside/kinds.ts';
import { callAgain, toolsOf } from './outside/tools.ts';
import type { Fault, Scenario } from './scenario.ts';

/** As packages/store sets it for each connection. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** How long after the last fault everything may take to end. */
const PATIENCE_MS = 240_000;
/** No world is longer, whatever befalls it. */
const MAX_MS = 900_000;
const LOOK_MS = 5_000;
/** Of real time: no world takes a hundredth of it, and one that stands still says where, rather than hang whoever waits. */
const HUNG_MS = 150_000;
/** Of one process in one second: more is no work but a circle. */
const MOST_STATEMENTS = 5_000;
/** The same where a few runs go on at a time, however many wait for theirs. */
const CROWD_STATEMENTS = 400;

export interface Result {
  /** Empty where all held. */
  readonly wrongs: readonly string[];
  readonly hash: string;
  readonly steps: number;
  readonly statements: number;
  readonly virtualMs: number;
  readonly lines: readonly string[];
}

/** One world, from its beginning until everything in it has ended. */
export async function simulate(
  scenario: Scenario,
  database: Libsql.Database,
  { isTraced = false }: { readonly isTraced?: boolean } = {},
): Promise<Result> {
  const world = new World({ isTraced });
  const isServer = !scenario.isUnserved;
  const chance = chanceOf(`world ${scenario.seed}`);
  const tables = tablesOf(database);
  tables.clear();
  tables.onUnknown = (sql, error) => world.wrong(`the simulator does not know ${sql}: ${String(error)}`);
  const endpoints = new Endpoints(world);
  const processes: SimulatedProcess[] = [];
  const slots: (SimulatedProcess | undefined)[] = [];
  const counts = { step: 0, answer: 0, commit: 0, statement: 0 };
  const pending: Record<Fault['at'], Map<number, Fault[]>> = {
    step: new Map(),
    answer: new Map(),
    commit: new Map(),
    statement: new Map(),
  };
  let untoldDeaths = scenario.untoldDeaths ?? 0;
  let statements = 0;
  let disturbedUntil = 0;
  let allDisturbedUntil = Number.NEGATIVE_INFINITY;
  for (const fault of scenario.faults) {
    const { at, nth } = fault;
    pending[at].set(nth, [...(pending[at].get(nth) ?? []), fault]);
  }

  const site: Site = {
    world,
    chance: chance.fork('site'),
    tables,
    awayUntil: 0,
    beganAt: -86_400_000,
    slowUntil: 0,
    fateOf(actor, what) {
      statements += 1;
      watch.statement(actor as SimulatedProcess);
      let fate: Fate = 'passes';
      if (what === 'commit') {
        counts.commit += 1;
        for (const fault of due('commit', counts.commit)) {
          if (fault.what === 'unanswered') fate = 'unanswered';
          else soon(fault, actor as SimulatedProcess);
        }
      }
      counts.statement += 1;
      for (const fault of due('statement', counts.statement)) {
        if (fault.what === 'lost') fate = 'lost';
        else soon(fault, actor as SimulatedProcess);
      }
      if (fate !== 'passes') {
        world.note(() => `${fate.toUpperCase()} ${what} of ${actor.name}`);
        disturb(actor as SimulatedProcess, 0);
      }
      return fate;
    },
  };
  const server: PostgresServer = {
    site,
    // As packages/store sets them for each connection.
    limits: { lockMs: 10_000, idleInTransactionMs: IDLE_IN_TRANSACTION_MS },
    names: new Map(),
    listeners: new Set(),
  };
  const file: EmbeddedFile = {
    site,
    writer: undefined,
    writing: undefined,
    names: new Map(),
    listeners: new Map(),
  };
  const disturbances = new Map<SimulatedProcess, number>();
  const outside: Outside = {
    world,
    chance: chance.fork('outside'),
    endpoints,
    isSwept: scenario.isSwept ?? false,
    reachable: () =>
      slots.filter((each): each is SimulatedProcess => each?.open !== undefined && !each.isGone),
  };
  const watched: Watched = {
    world,
    tables,
    endpoints,
    processes,
    storeDisturbedAt: (process) =>
      Math.max(disturbances.get(process) ?? Number.NEGATIVE_INFINITY, allDisturbedUntil, process.disturbedAt),
    limits: scenario.limits,
    mostStatements: () =>
      world.now < (scenario.crowd?.givenUpAtMs ?? 0) ? CROWD_STATEMENTS : MOST_STATEMENTS,
    isFresh: scenario.elders !== undefined,
    isUnserved: !isServer,
    onQuestion: (question) => void answerQuestion(outside, question),
    onRun(run) {
      if (scenario.isAnsweredAhead) answerAhead(outside, run);
    },
    onUntold(process) {
      if (untoldDeaths === 0) return;
      untoldDeaths -= 1;
      world.at(chance.between(0, 2), undefined, 'dies untold', () => {
        disturbedUntil = Math.max(disturbedUntil, world.now);
        lose(process);
      });
    },
    isPrompt: scenario.absence !== undefined,
    lockedMs: scenario.dialect === 'postgres' ? IDLE_IN_TRANSACTION_MS : Number.POSITIVE_INFINITY,
  };
  const watch = new Watch(watched);
  const hands = new Hands(watched, watch);
  endpoints.onAnswer = (call) => {
    counts.answer += 1;
    for (const fault of due('answer', counts.answer)) soon(fault, call.process);
  };
  world.onStep = (step, actor) => {
    for (const fault of due('step', step))
      befall(fault, (actor as SimulatedProcess | undefined) ?? slots[fault.slot]);
  };

  function due(at: Fault['at'], nth: number): readonly Fault[] {
    return pending[at].get(nth) ?? NONE;
  }

  /** Of the store, for one process or for all. */
  function disturb(process: SimulatedProcess | undefined, ms: number): void {
    const until = world.now + ms;
    // Who begins meanwhile finds it as it is.
    if (process) disturbances.set(process, Math.max(disturbances.get(process) ?? 0, until));
    else allDisturbedUntil = Math.max(allDisturbedUntil, until);
    disturbedUntil = Math.max(disturbedUntil, until);
  }

  /** Once what runs has come to rest: a process that is gone must not go on, not even to its next wait. */
  function soon(fault: Fault, process: SimulatedProcess): void {
    world.at(fault.plusMs, undefined, 'fault', () => befall({ ...fault, plusMs: 0 }, process));
  }

  function befall(fault: Fault, process: SimulatedProcess | undefined): void {
    const { what, ms, plusMs } = fault;
    if (plusMs > 0) {
      world.at(plusMs, undefined, 'fault', () => befall({ ...fault, plusMs: 0 }, process));
      return;
    }
    const whom = process && !process.isGone ? process : slots[fault.slot];
    disturbedUntil = Math.max(disturbedUntil, world.now);
    switch (what) {
      case 'kill':
        if (whom) lose(whom);
        break;
      case 'end':
        if (whom && !whom.isGone && !whom.isStopped) void endGently(whom);
        break;
      case 'stop':
        if (!whom || whom.isGone || whom.isStopped) break;
        stop(whom, world, ms);
        // With the file's lock in its hands nobody writes until it goes on.
        if (file.writer !== undefined && file.writing === whom) disturb(undefined, ms);
        disturbedUntil = Math.max(disturbedUntil, world.now + ms);
        watch.lost(whom);
        break;
      case 'cut':
        if (!whom || whom.isGone) break;
        disturb(whom, 0);
        whom.store.cut();
        break;
      case 'cut off':
        if (!whom || whom.isGone || whom.cutOffAt !== undefined || scenario.dialect !== 'postgres') break;
        cutOff(whom, world, ms);
        disturb(whom, ms);
        watch.lost(whom);
        break;
      case 'restart':
      case 'away':
        world.note(() => `${what === 'away' ? 'AWAY' : 'RESTART'} for ${Math.round(ms)} ms`);
        site.awayUntil = Math.max(site.awayUntil, world.now + ms);
        if (what === 'restart') site.beganAt = site.awayUntil;
        disturb(undefined, ms);
        for (const each of processes) if (!each.isGone) each.store.cut();
        break;
      case 'slow':
        world.note(() => `SLOW for ${Math.round(ms)} ms`);
        site.slowUntil = Math.max(site.slowUntil, world.now + ms);
        disturb(undefined, ms);
        break;
      default:
    }
  }

  function lose(process: SimulatedProcess): void {
    if (process.isGone) return;
    watch.lost(process);
    kill(process, world);
    const { slot } = process;
    world.at(chance.between(50, 6_000), undefined, 'restart', () => begin(slot));
  }

  async function endGently(process: SimulatedProcess): Promise<void> {
    world.note(() => `END ${process.name}`);
    process.isEnding = true;
    world.at(5_000, undefined, 'has not ended', () => lose(process));
    await world.wait(0.01, process, 'SIGTERM');
    process.shutdown.abort();
    await process.engine.stop(1_500).catch(() => {});
    lose(process);
  }

  let generation = 0;
  function begin(slot: number): void {
    generation += 1;
    const name = `${'ABCDEFGH'[slot]}${generation}`;
    const own = chance.fork(`process ${name}`);
    const isWhole = !isWithout(slot);
    const process = startProcess({
      world,
      chance: own,
      name,
      slot,
      isSkewed: scenario.isSkewed,
      limits: scenario.limits,
      parkAfterMs: scenario.parkAfterMs,
      isWhole,
      kinds: (processOf) =>
        programKinds(processOf, endpoints).filter(({ name: kind }) => isWhole || kind !== GUEST.name),
      connect: (actor: Actor) =>
        scenario.dialect === 'postgres' ? postgresStore(server, actor) : embeddedStore(file, actor),
      tools: toolsOf,
      rerun: callAgain,
      onEnrolled: (worker) => watch.knows(worker, process),
    });
    processes.push(process);
    slots[slot] = process;
    world.at(0, process, 'starts', () => void beginProcess(process, world, { isServer }));
  }

  const { absence } = scenario;

  function isWithout(slot: number): boolean {
    if (!absence?.slots.includes(slot)) return false;
    return world.now >= absence.fromMs && world.now < absence.untilMs;
  }

  /** Each of those that are to be without it, or with it again, is started anew. */
  async function changePlugins(slot: number): Promise<void> {
    const process = slots[slot];
    while (process && !process.isGone && process.isWhole === isWithout(slot)) {
      disturbedUntil = Math.max(disturbedUntil, world.now);
      if (!process.isStopped && !process.isEnding) await endGently(process);
      await world.wait(500, undefined, 'changes plugins');
    }
  }
  if (absence) {
    for (const at of [absence.fromMs, absence.untilMs])
      world.at(at, undefined, 'changes plugins', () =>
        absence.slots.forEach((slot) => void changePlugins(slot)),
      );
  }

  const { crowd, elders } = scenario;
  if (crowd) {
    queueCrowd(tables, crowd);
    world.at(crowd.givenUpAtMs, undefined, 'gives up', () => giveUpCrowd(tables, world.now));
  }
  if (elders) placeElders(tables, elders);
  for (let slot = 0; slot < scenario.slots; slot += 1) begin(slot);
  const cancelled = new Set<number>();
  let errandsLeft = scenario.errands.length;
  for (const errand of scenario.errands) {
    const asks =
      errand.isAskedTwice && errand.isKeyed
        ? [errand, { ...errand, atMs: errand.atMs + 1, cancelAfterMs: undefined }]
        : [errand];
    errandsLeft += asks.length - 1;
    for (const each of asks) {
      const { goesOn } = each;
      const done = goesOn
        ? runGoneOn({ ...(each as typeof errand), goesOn }, outside)
        : runErrand(each as typeof errand, outside, cancelled);
      void done.then(() => {
        errandsLeft -= 1;
        disturbedUntil = Math.max(disturbedUntil, world.now);
      });
    }
  }
  /** As a server does now and then, of what has ended; jobs stay for as long as was asked. */
  function sweep(process: SimulatedProcess | undefined): void {
    const on = process?.open?.on;
    if (on) world.at(0, process, 'sweeps', () => void forgetOld(on, { days: 0 }).catch(() => {}));
  }

  /** The same where nothing is old enough to go, and there is too much. */
  function thin(process: SimulatedProcess | undefined, of: Elders): void {
    const on = process?.open?.on;
    const judge = () => {
      const fault = eldersFault(tables, of);
      if (fault) world.wrong(fault);
    };
    if (on) world.at(0, process, 'thins', () => void forgetOld(on, of.retention).then(judge, () => {}));
  }

  const keeper: Outside = { ...outside, chance: chance.fork('keeper') };
  let isKept = false;
  const look = () => {
    hands.look();
    if (scenario.isSwept) sweep(slots[0]);
    if (elders) thin(slots[0], elders);
    const left = isServer ? watch.paused : watch.openRoots;
    if (errandsLeft === 0 && !isKept && left.length > 0) {
      isKept = true;
      void letGoOn(keeper, left, { isServer }).finally(() => {
        isKept = false;
        disturbedUntil = Math.max(disturbedUntil, world.now);
      });
    }
    world.at(LOOK_MS, undefined, 'look', look);
  };
  world.at(LOOK_MS, undefined, 'look', look);
  const isOver = () =>
    world.wrongs.length > 0 ||
    (errandsLeft === 0 && watch.open === 0) ||
    world.now > disturbedUntil + PATIENCE_MS ||
    world.now > MAX_MS;
  let watchdog: NodeJS.Timeout | undefined;
  const standstill = new Promise<never>((_, reject) => {
    watchdog = setTimeout(() => {
      const where = `${Math.round(world.now)} ms, after ${world.steps} steps and ${statements} statements`;
      reject(new Error(`the world of seed ${scenario.seed} stands still at ${where}`));
    }, HUNG_MS);
  });
  await Promise.race([world.run(isOver), standstill]).finally(() => clearTimeout(watchdog));
  if (world.wrongs.length === 0 && errandsLeft > 0) world.wrong(`${errandsLeft} errands were never done`);
  if (world.wrongs.length === 0 || world.now > disturbedUntil + PATIENCE_MS) watch.end();
  return {
    wrongs: world.wrongs,
    hash: (world.hash >>> 0).toString(16).padStart(8, '0'),
    steps: world.steps,
    statements,
    virtualMs: Math.round(world.now),
    lines: world.lines,
  };
}

const NONE: readonly Fault[] = [];

const known = new WeakMap<Libsql.Database, Tables>();
function tablesOf(database: Libsql.Database): Tables {
  let tables = known.get(database);
  if (!tables) {
    tables = new Tables(database);
    known.set(database, tables);
  }
  return tables;
}
