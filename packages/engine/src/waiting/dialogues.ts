import { type Answer, type AskedQuestion, ToolError } from '@nexus/plugin-sdk';
import { answerQuestion } from '../record/questions.ts';
import type { RunDatabase } from '../record/run-database.ts';

type Ask = (question: AskedQuestion, signal: AbortSignal) => Promise<Answer | undefined>;

/**
 * The dialogues of one who waits for a run: each open question is put to the person once. What is answered from
 * elsewhere meanwhile is withdrawn.
 */
export class Dialogues implements Disposable {
  readonly #on: RunDatabase;
  readonly #ask: Ask;
  /** One more dialogue is over. */
  readonly #onOver: () => void;
  readonly #running = new Map<string, AbortController>();
  /** Put to the person, and answered or left open. */
  readonly #over = new Set<string>();
  /** Those of them that were left open. */
  readonly #left = new Set<string>();

  constructor(on: RunDatabase, ask: Ask, onOver: () => void) {
    this.#on = on;
    this.#ask = ask;
    this.#onOver = onOver;
  }

  /** @param open all that is open now */
  put(open: readonly AskedQuestion[]): void {
    const keys = new Set(open.map(keyOf));
    for (const [key, dialogue] of this.#running) if (!keys.has(key)) dialogue.abort(answeredElsewhere());
    for (const question of open) void this.#hold(question);
  }

  /** Whether the person has left all of these open: what was answered since they were read is no longer among them. */
  isLeft(open: readonly AskedQuestion[]): boolean {
    return open.length > 0 && open.every((question) => this.#left.has(keyOf(question)));
  }

  [Symbol.dispose](): void {
    for (const dialogue of this.#running.values()) dialogue.abort(nobodyWaits());
  }

  async #hold(question: AskedQuestion): Promise<void> {
    const key = keyOf(question);
    if (this.#running.has(key) || this.#over.has(key)) return;
    const dialogue = new AbortController();
    this.#running.set(key, dialogue);
    let isAnswered = false;
    try {
      const answer = await this.#ask(question, dialogue.signal);
      if (answer && answer.action !== 'cancel') {
        await this.#answer(question, answer);
        isAnswered = true;
      }
    } catch {
      // It came too late, or nobody could be asked: what is still open stays so.
    } finally {
      this.#running.delete(key);
      this.#over.add(key);
      if (!isAnswered) this.#left.add(key);
      this.#onOver();
    }
  }

  /** What a person has said is not lost because the store is away, however long. */
  async #answer({ runId, name, digest }: AskedQuestion, answer: Answer): Promise<void> {
    const patient = this.#on.waiting({ forMs: Number.POSITIVE_INFINITY });
    await answerQuestion(patient, { runId, name, digest, answer });
  }
}

function keyOf({ runId, name }: AskedQuestion): string {
  return `${runId}\n${name}`;
}

function answeredElsewhere(): ToolError {
  return new ToolError('NEXUS_CANCELLED', 'The question is open no more.');
}

function nobodyWaits(): ToolError {
  return new ToolError('NEXUS_CANCELLED', 'Nobody waits for this answer here any more.');
}
