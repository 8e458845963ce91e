import { isToolError, ToolError } from '@nexus/plugin-sdk';
import type { DoneCall } from '../record/calls.ts';
import { readError } from '../record/errors.ts';
import { unknownBelow } from '../record/unknown-below.ts';
import type { RunInstance } from './run-instance.ts';

const UNKNOWN = 'NEXUS_OUTCOME_UNKNOWN';

/** What is known of the calls that one attempt of a step made. */
export class CallsOfAttempt {
  #hasAny = false;
  #lost: string | undefined;
  /** What was done that must not be done twice, in the order of the work. */
  readonly done: DoneCall[] = [];

  begun(): void {
    this.#hasAny = true;
  }

  /** Takes what a call failed with. */
  failed({ code, message }: { readonly code?: string; readonly message?: string }): void {
    if (code === UNKNOWN) this.#lost ??= message ?? 'Nobody knows what came of a call.';
  }

  /** Whether a call of it is known to be of unknown outcome. */
  get hasLost(): boolean {
    return this.#lost !== undefined;
  }

  /**
   * What an attempt came to that did not succeed: of unknown outcome where a call of it is, or a run that such a call
   * began, whatever its work made of that. By its own error it could be done again, and with it what must not be.
   */
  async errorOf(instance: RunInstance, step: string, error: unknown): Promise<unknown> {
    if (!this.#hasAny || (isToolError(error) && error.code === UNKNOWN)) return error;
    const { services, run, writer } = instance;
    const below = async () =>
      readError(await writer.read(() => unknownBelow(services.on, run.id, step)))?.message;
    const lost = this.#lost ?? (await below());
    if (lost === undefined) return error;
    const own = error instanceof Error ? error.message : String(error);
    return new ToolError(UNKNOWN, own.includes(lost) ? own : `${own} ${lost}`, { cause: error });
  }
}
