import type { AnyRunKind, Log, ToolCaller } from '@nexus/plugin-sdk';
import { createEngine, type Engine, type EngineOptions } from '../../../src/engine.ts';
import type { Ground, Timer } from '../../../src/ground.ts';
import type { OpenEngine } from '../../../src/service/runs-service.ts';
import { define } from '../../define.ts';
import type { Driving } from '../database/site.ts';
import { GUEST_TOOL } from '../outside/tools.ts';
import type { Chance } from './chance.ts';
import type { Actor, World } from './world.ts';

/** One process of the engine, from its start to its end. */
export interface SimulatedProcess extends Actor {
  readonly slot: number;
  readonly engine: Engine;
  readonly store: Driving;
  /** Once its tables are open. */
  open: OpenEngine | undefined;
  /** When it last was kept from the store, or from running: what it did just before may be lost. */
  disturbedAt: number;
  readonly startedAt: number;
  readonly shutdown: AbortController;
  isEnding: boolean;
  goneAt: number | undefined;
  /** When its last stop began. */
  lastStopAt: number | undefined;
  stoppedAt: number | undefined;
  /** Since when nothing goes through between it and the store. */
  cutOffAt: number | undefined;
  /** As it names the machine that it is on. */
  readonly machine: string;
  /** Whether it has every plugin. */
  readonly isWhole: boolean;
  /** Told when it is gone. */
  readonly onGone: Set<() => void>;
}

export interface ProcessParts {
  readonly world: World;
  readonly chance: Chance;
  readonly name: string;
  readonly slot: number;
  /** Whether its clocks run as the world's do. */
  readonly isSkewed: boolean;
  readonly limits: EngineOptions['limits'];
  readonly parkAfterMs: number | undefined;
  readonly isWhole: boolean;
  kinds(processOf: () => SimulatedProcess): readonly AnyRunKind[];
  connect(actor: Actor): { readonly store: EngineOptions['store']; readonly driving: Driving };
  tools(process: SimulatedProcess, ...at: Parameters<EngineOptions['tools']>): ToolCaller;
  /** It makes itself known under an id. */
  onEnrolled(worker: string): void;
  rerun(
    process: SimulatedProcess,
    ...call: Parameters<EngineOptions['rerun']>
  ): ReturnType<EngineOptions['rerun']>;
}

export function startProcess(parts: ProcessParts): SimulatedProcess {
  const { world, chance, name, slot } = parts;
  const actor: Actor = { name, isGone: false, isStopped: false, held: [] };
  const { store: bare, driving } = parts.connect(actor);
  // What a process holds a name by is what its runs name it by.
  const store = {
    ...bare,
    async hold(held: string) {
      const hold = await bare.hold(held);
      if (hold) parts.onEnrolled(held.replace(/^runs-worker-/, ''));
      return hold;
    },
  };
  const shutdown = new AbortController();
  const machine = `machine-${slot % 2}`;
  const engine = createEngine({
    store,
    log: logOf(world, name),
    shutdown: shutdown.signal,
    ground: groundOf(world, actor, chance, parts.isSkewed),
    machine: () => machine,
    ...(parts.limits ? { limits: parts.limits } : {}),
    ...(parts.parkAfterMs === undefined ? {} : { parkAfterMs: parts.parkAfterMs }),
    hasTool: (name) => parts.isWhole || name !== GUEST_TOOL,
    tools: (...at) => parts.tools(process, ...at),
    rerun: (...call) => parts.rerun(process, ...call),
    onUpdated() {},
  });
  for (const kind of parts.kinds(() => process)) define(engine, kind);
  const process: SimulatedProcess = Object.assign(actor, {
    slot,
    engine,
    store: driving,
    open: undefined,
    disturbedAt: Number.NEGATIVE_INFINITY,
    startedAt: world.now,
    shutdown,
    isEnding: false,
    goneAt: undefined,
    lastStopAt: undefined,
    stoppedAt: undefined,
    cutOffAt: undefined,
    machine,
    isWhole: parts.isWhole,
    onGone: new Set<() => void>(),
  });
  return process;
}

/** Opens the tables, looks for runs where it is a server, and tries again until the store is there. */
export async function begin(
  process: SimulatedProcess,
  world: World,
  { isServer }: { readonly isServer: boolean },
): Promise<void> {
  for (;;) {
    try {
      process.open = await process.engine.open();
      if (isServer) await process.engine.adopt();
      return;
    } catch (error) {
      world.note(() => `${process.name} can't open: ${String(error)}`);
      await world.wait(1_000, process, 'opens again');
    }
  }
}

/** A process that ends without a word. */
export function kill(process: SimulatedProcess, world: World): void {
  if (process.isGone) return;
  world.note(() => `KILL ${process.name}`);
  process.isGone = true;
  process.goneAt = world.now;
  process.held.length = 0;
  process.store.end();
  for (const tell of process.onGone) tell();
}

export function stop(process: SimulatedProcess, world: World, ms: number): void {
  if (process.isGone || process.isStopped) return;
  world.note(() => `STOP ${process.name} for ${Math.round(ms)} ms`);
  process.isStopped = true;
  process.stoppedAt = world.now;
  process.lastStopAt = world.now;
  world.at(ms, undefined, 'continue', () => {
    if (process.isGone) return;
    world.note(() => `CONTINUE ${process.name}`);
    process.disturbedAt = world.now;
    process.stoppedAt = undefined;
    world.carryOn(process);
  });
}

/** Nothing goes through between it and the store for a while. */
export function cutOff(process: SimulatedProcess, world: World, ms: number): void {
  world.note(() => `CUT OFF ${process.name} for ${Math.round(ms)} ms`);
  process.cutOffAt = world.now;
  process.store.cutOff(ms);
  world.at(ms, undefined, 'goes through', () => {
    process.cutOffAt = undefined;
  });
}

function groundOf(world: World, actor: Actor, chance: Chance, isSkewed: boolean): Ground {
  const offset = chance.between(0, 1e6);
  const rate = isSkewed ? chance.between(0.8, 1.25) : 1;
  const late = () => chance.between(0, 0.2);
  return {
    now: () => offset + world.now * rate,
    after: (ms, call) => new WorldTimer(world.at(ms / rate + late(), actor, 'timer', call)),
    every(ms, call) {
      const timer = new WorldTimer(() => {});
      const next = () => {
        timer.cancel = world.at(ms / rate + late(), actor, 'interval', () => {
          next();
          call();
        });
      };
      next();
      return timer;
    },
    clear(each) {
      if (each instanceof WorldTimer) each.cancel();
    },
    turn: () => world.wait(chance.between(0.005, 0.05), actor, 'turn'),
    random: () => chance.next(),
    uuid: () => {
      const hex = chance.hex(16);
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
    hex: (bytes) => chance.hex(bytes),
  };
}

class WorldTimer implements Timer {
  cancel: () => void;

  constructor(cancel: () => void) {
    this.cancel = cancel;
  }

  unref(): this {
    return this;
  }
}

function logOf(world: World, name: string): Log {
  const at = (level: string) => (message: string, fields?: Readonly<Record<string, unknown>>) =>
    world.note(() => `${name} ${level}: ${message} ${fields ? inShort(fields) : ''}`);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function inShort(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value instanceof Error ? value.message : String(value)}`)
    .join(' ');
}
