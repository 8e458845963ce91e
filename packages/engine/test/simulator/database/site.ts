import { ToolError } from '@nexus/plugin-sdk';
import type { Chance } from '../ground/chance.ts';
import type { Actor, World } from '../ground/world.ts';
import type { Tables } from './tables.ts';

/** What becomes of a statement on its way: it arrives and is answered, never arrives, or is never answered. */
export type Fate = 'passes' | 'lost' | 'unanswered';

/** A database where simulated processes find it, and what can befall it there. */
export interface Site {
  readonly world: World;
  readonly chance: Chance;
  readonly tables: Tables;
  /** Asked of each statement: what a plan of faults has in mind for it. */
  fateOf(actor: Actor, what: 'statement' | 'commit'): Fate;
  /** Nobody reaches it before. */
  awayUntil: number;
  /** When its server began; long ago at first. */
  beganAt: number;
  /** Everything takes so many times longer before. */
  slowUntil: number;
}

/** The database's clock at the beginning of the world. */
const EPOCH_MS = 1_800_000_000_000;

/** What the database's clock shows at a time of the world. */
export function databaseTime(now: number): number {
  return EPOCH_MS + now;
}

/** What the database's clock shows, and showed when its server began. */
export function timesOf({ world, beganAt }: Site): { readonly now: number; readonly began: number } {
  return { now: databaseTime(world.now), began: databaseTime(beganAt) };
}

export function unavailable(why: string): ToolError {
  return new ToolError('NEXUS_STORE_UNAVAILABLE', `The simulated database ${why}.`);
}

/** How long a way of so many milliseconds takes now. */
export function lasting({ world, chance, slowUntil }: Site, least: number, most: number): number {
  const factor = world.now < slowUntil ? 40 : 1;
  return chance.between(least, most) * factor;
}

/** What a process reaches the database by. */
export interface Driving {
  /** Everything that it had there is given up, as the system does for a process that ended. */
  end(): void;
  /** Its connections break, all at once. */
  cut(): void;
  /** Nothing goes through for so long; a file on its own machine is there all the same. */
  cutOff(ms: number): void;
}
