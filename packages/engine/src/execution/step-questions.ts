import type { AskYes, BegunRun } from '@nexus/core';
import { runsBefore } from '../record/begun-before.ts';
import { answerOf, type StepQuestion } from '../record/questions.ts';
import { untilRefused } from '../record/refused-steps.ts';
import { digestOf } from '../record/values.ts';
import type { RunInstance } from './run-instance.ts';

/**
 * What one attempt of a step wants a person to say yes to before it does it. What nobody has answered yet is put on
 * record once the attempt is over, and the step is done again when it is answered: nothing waits in between, so any
 * process can go on with it.
 */
export class StepQuestions {
  readonly #instance: RunInstance;
  readonly #step: string;
  readonly #times = new Map<string, number>();
  /** Not answered yet, in the order of their coming. */
  readonly open: StepQuestion[] = [];

  constructor(instance: RunInstance, step: string) {
    this.#instance = instance;
    this.#step = step;
  }

  /**
   * A yes is to one call: a second one alike, in the same attempt, has a question of its own. The name has the whole
   * digest, since of a part of it two calls could be made that have one name.
   */
  readonly ask: AskYes = async (question, begins) => {
    const digest = digestOf(question.subject);
    const times = (this.#times.get(digest) ?? 0) + 1;
    this.#times.set(digest, times);
    if (begins && times <= (await this.#timesLetIn(begins))) return true;
    const name = `${this.#step} may call ${digest}${times === 1 ? '' : `-${times}`}`;
    const { services, run } = this.#instance;
    const asked = { name, question };
    const answer = await answerOf(services.on, run.id, asked);
    if (answer) return answer.action === 'accept';
    this.open.push(asked);
    return undefined;
  };

  /**
   * How often the step had made the same call in a run before: what that itself brought to be known is no reason to ask as
   * it goes on.
   */
  async #timesLetIn({ kind, request }: BegunRun): Promise<number> {
    const { services, run } = this.#instance;
    const { on } = services;
    const before = untilRefused(await runsBefore(on.db, on, run.id), this.#step);
    const begun = await on.db
      .selectFrom('runs_runs')
      .select('parent_id')
      .where('parent_id', 'in', ['', ...before.map(({ id }) => id)])
      .where('parent_step', '=', this.#step)
      .where('kind', '=', kind)
      .where('start_digest', '=', digestOf(request))
      .execute();
    const [last] = before.filter(({ id }) => begun.some(({ parent_id }) => parent_id === id));
    return begun.filter(({ parent_id }) => parent_id === last?.id).length;
  }
}
