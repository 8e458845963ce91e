import { randomBytes, randomUUID } from 'node:crypto';

/** Ends with `Ground.clear`. */
export interface Timer {
  /** The process may end before it. */
  unref(): unknown;
}

/**
 * What a process stands on beside the record: its own clock, its timers and its chance. The engine has no other,
 * so that a simulator can put many processes on grounds of its own and repeat what happened to them.
 */
export interface Ground {
  /** Milliseconds of a clock that only goes forward; from where, nobody knows. */
  now(): number;
  /** Calls once, that many milliseconds later. */
  after(ms: number, call: () => void): Timer;
  /** Calls again and again. */
  every(ms: number, call: () => void): Timer;
  clear(timer: Timer | undefined): void;
  /** Resolves once everything that is ready now has had its turn. */
  turn(): Promise<void>;
  /** From 0 on, below 1. */
  random(): number;
  uuid(): string;
  /** Hexadecimal digits of so many random bytes. */
  hex(bytes: number): string;
}

/** The machine's own. Looks its functions up at each call: tests put others in their place. */
export const machine: Ground = {
  now: () => performance.now(),
  after: (ms, call) => setTimeout(call, ms),
  every: (ms, call) => setInterval(call, ms),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined), // ends intervals too
  turn: () => new Promise((resolve) => setImmediate(resolve)),
  random: () => Math.random(),
  uuid: () => randomUUID(),
  hex: (bytes) => randomBytes(bytes).toString('hex'),
};
