import { toErrorResult } from '@nexus/core';
import { type ToolCallResult, ToolError } from '@nexus/plugin-sdk';
import type { DoneBefore, PaidCall } from '../record/done-before.ts';
import { keptId } from '../record/kept-call.ts';
import type { RunDatabase } from '../record/run-database.ts';
import type { StepOutcome } from '../record/steps.ts';
import type { CallRow } from '../record/tables.ts';
import { fromStored } from '../record/values.ts';

/** What one attempt of a step is given of the calls that the step had made in a run that its own goes on from: each once. */
export class AnswersBefore {
  readonly #paid: PaidCall[];
  readonly #calls: CallRow[];
  readonly #wasTold: boolean;

  constructor({ paid, calls, wasTold }: Pick<DoneBefore, 'paid' | 'calls' | 'wasTold'>) {
    this.#paid = [...paid];
    this.#calls = [...calls];
    this.#wasTold = wasTold;
  }

  /** Those that the run has taken by now are its own: an attempt before this one was cut off. */
  leaveOut(runId: string, own: ReadonlySet<string>): void {
    const left = this.#paid.filter((call) => !own.has(keptId(runId, call)));
    this.#paid.splice(0, this.#paid.length, ...left);
  }

  takePaid(digest: string): PaidCall | undefined {
    return take(this.#paid, (call) => call.digest === digest);
  }

  /**
   * What a call that must not be made twice comes to without being made: what the same was answered, or a refusal where the
   * tool was called with other arguments, and nobody knows whether this call is to take the place of that. Undefined where
   * it is to be made: nothing was done there, or somebody was told so and has it done.
   */
  answerTo({ tool, digest }: Pick<CallRow, 'tool' | 'digest'>): ToolCallResult | undefined {
    const same = take(this.#calls, (call) => call.tool === tool && call.digest === digest);
    if (same) return JSON.parse(same.answer) as ToolCallResult; // written by `stepTools`
    const other = this.#calls.find((call) => call.tool === tool);
    return other && !this.#wasTold ? refusalOf(other) : undefined;
  }
}

function refusalOf({ tool, run_id: runId, step, input }: CallRow): ToolCallResult {
  const { json } = JSON.parse(input) as { json: string }; // a shown value
  const text = `${tool} was called before in the same place, by the step "${step}" of run ${runId}, with other arguments: ${json}. It was not called again, since it must not be done twice. Look at its effect first.`;
  const error = new ToolError('NEXUS_OUTCOME_UNKNOWN', text, { detail: { tool, runId, step } });
  const result = toErrorResult(error);
  if (!result) throw error;
  return result;
}

function take<Item>(from: Item[], isMeant: (item: Item) => boolean): Item | undefined {
  const at = from.findIndex(isMeant);
  return at < 0 ? undefined : from.splice(at, 1)[0];
}

/** A step as it is asked for. */
interface AskedStep {
  readonly name: string;
  readonly digest: string | null;
  readonly isRepeatable: boolean | undefined;
}

/**
 * What a step comes to that was done before and must not be done twice: what it came to then, if it is given the same.
 * If it is given something else, or nobody says what, it is not done, and says so. Undefined where its work is to be done:
 * it may be repeated, or all that must not be are calls of tools, each of which is known by itself.
 */
export async function outcomeBefore(
  { db }: RunDatabase,
  { completed, digest, isOnce, calls }: DoneBefore,
  asked: AskedStep,
): Promise<StepOutcome | undefined> {
  if (!completed || asked.isRepeatable === true) return undefined;
  if (asked.isRepeatable === undefined && !isOnce) return undefined;
  if (asked.digest !== null && asked.digest === digest)
    return { output: await fromStored(db, completed.run_id, completed.output) };
  const isUnsaid = asked.digest === null && digest === null;
  if (calls.length > 0 && (isUnsaid || asked.isRepeatable === undefined)) return undefined;
  const why = isUnsaid ? 'nothing says whether it would do the same now' : 'it would do something else now';
  const text = `The step "${asked.name}" was done before, in run ${completed.run_id}, after a failure; it must not be done twice, and ${why}. It was not done again. Look at its effect first.`;
  return {
    error: new ToolError('NEXUS_OUTCOME_UNKNOWN', text, {
      detail: { runId: completed.run_id, step: asked.name },
    }),
  };
}
