import { ToolError, type WorkerPool, type Workers } from '@nexus/plugin-sdk';
import type { AtomFeed } from './read-atom.ts';
import type { HtmlPage } from './read-html.ts';

export type MarkupTask = { readonly kind: 'atom' | 'html'; readonly text: string };

const LIMIT_MS = 10_000;

/** XML and HTML that somebody else wrote, read in a thread of its own. */
export class Markup {
  readonly #pool: WorkerPool<MarkupTask, unknown>;

  constructor(workers: Workers) {
    this.#pool = workers.pool({ module: new URL('./markup.worker.ts', import.meta.url) });
  }

  atom(text: string, signal: AbortSignal): Promise<AtomFeed> {
    return this.#run<AtomFeed>({ kind: 'atom', text }, signal);
  }

  html(text: string, signal: AbortSignal): Promise<HtmlPage> {
    return this.#run<HtmlPage>({ kind: 'html', text }, signal);
  }

  async #run<Answer>(task: MarkupTask, signal: AbortSignal): Promise<Answer> {
    const outcome = await this.#pool.run(task, { signal, timeLimitMs: LIMIT_MS });
    // The worker answers each kind of task with its own.
    if (!outcome.fault) return outcome.answer as Answer;
    throw new ToolError('NEXUS_UNAVAILABLE', `What was fetched can’t be read: it ${outcome.reason}.`);
  }
}
