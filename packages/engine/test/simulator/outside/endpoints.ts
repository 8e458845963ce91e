import { ToolError } from '@nexus/plugin-sdk';
import type { SimulatedProcess } from '../ground/process.ts';
import type { World } from '../ground/world.ts';

/** One call of a model, as its endpoint and its caller have it. */
export interface ModelCall {
  readonly key: string;
  readonly runId: string;
  readonly tokens: number;
  readonly process: SimulatedProcess;
  readonly startedAt: number;
  /** Whether the run was its caller's when it asked whether it may pay. */
  readonly wasOwner: boolean;
  /** When its caller had the answer. */
  answeredAt: number | undefined;
  /** Whether the run was still its caller's then. */
  wasOwnerThen: boolean;
  /** Whether its caller was cut off from its store then. */
  wasCutOffThen: boolean;
}

export interface ModelRequest {
  readonly key: string;
  /** Where in its errand it stands, whatever run asks. */
  readonly place: string | undefined;
  readonly runId: string;
  readonly tokens: number;
  readonly ms: number;
  readonly text: string;
  /** How many calls of this key are refused before one is answered; those cost nothing. */
  readonly failures: number;
  readonly wasOwner: boolean;
  readonly signal: AbortSignal;
}

/** Models and tools outside, which charge for each call and log it by its key. */
export class Endpoints {
  readonly #world: World;
  readonly calls = new Map<string, ModelCall[]>();
  readonly effects = new Map<string, number>();
  readonly #refused = new Map<string, number>();
  readonly #broken = new Map<string, number>();
  /** Whether a run is a process's by the record. */
  isOwner: (process: SimulatedProcess, runId: string) => boolean = () => true;
  onCall: (call: ModelCall, earlier: readonly ModelCall[]) => void = () => {};
  onAnswer: (call: ModelCall) => void = () => {};
  onEffect: (key: string, count: number, place?: string) => void = () => {};
  onPlace: (place: string) => void = () => {};

  constructor(world: World) {
    this.#world = world;
  }

  /** Whether what is done at a place fails, as it does so many times. */
  isBroken(place: string, times: number): boolean {
    const broken = this.#broken.get(place) ?? 0;
    this.#broken.set(place, broken + 1);
    return broken < times;
  }

  /** Charged once the answer is on its way, whether or not anybody still waits for it. */
  ask(process: SimulatedProcess, request: ModelRequest): Promise<string> {
    const { key, place, tokens, ms, text, failures, signal, runId, wasOwner } = request;
    if (place !== undefined) this.onPlace(place);
    const world = this.#world;
    const refused = this.#refused.get(key) ?? 0;
    if (refused < failures) {
      this.#refused.set(key, refused + 1);
      return this.#within(signal, (resolve, reject) => {
        void resolve;
        world.at(ms / 4, process, 'model refuses', () =>
          reject(new ToolError('NEXUS_MODEL_RATE_LIMITED', 'Too busy.')),
        );
      });
    }
    const earlier = this.calls.get(key) ?? [];
    const call: ModelCall = {
      key,
      runId,
      tokens,
      process,
      startedAt: world.now,
      wasOwner,
      answeredAt: undefined,
      wasOwnerThen: false,
      wasCutOffThen: false,
    };
    this.onCall(call, earlier);
    this.calls.set(key, [...earlier, call]);
    world.note(() => `${process.name} asks a model (${key.slice(0, 10)}, run ${runId.slice(0, 10)})`);
    return this.#within(signal, (resolve) => {
      world.at(ms, process, 'model answers', () => {
        if (!signal.aborted) {
          call.answeredAt = world.now;
          call.wasOwnerThen = this.isOwner(process, runId);
          call.wasCutOffThen = process.cutOffAt !== undefined;
          this.onAnswer(call);
        }
        resolve(text);
      });
    });
  }

  /** What a process itself makes of what it was answered. */
  work(process: SimulatedProcess, ms: number): Promise<void> {
    return this.#world.wait(ms, process, 'works');
  }

  /** Done at once, and answered later. */
  effect(
    process: SimulatedProcess,
    { key, place, ms, signal }: Pick<ModelRequest, 'key' | 'place' | 'ms' | 'signal'>,
  ): Promise<string> {
    const world = this.#world;
    return this.#within(signal, (resolve) => {
      const half = ms / 2;
      world.at(half, undefined, 'effect', () => {
        const count = (this.effects.get(key) ?? 0) + 1;
        this.effects.set(key, count);
        this.onEffect(key, count, place);
        world.at(half, process, 'effect is told', () => resolve('done'));
      });
    });
  }

  #within(
    signal: AbortSignal,
    work: (resolve: (text: string) => void, reject: (error: Error) => void) => void,
  ): Promise<string> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      work(resolve, reject);
    });
  }
}
