import { z } from 'zod';

/** Files whose symbols an answer lacks. */
export const Unread = z.object({
  total: z.number(),
  files: z.array(z.object({ file: z.string(), reason: z.string() })),
});

const MAX_NAMED = 20;

/** Collects them for one answer. */
export class UnreadFiles {
  readonly #files: { file: string; reason: string }[] = [];
  #total = 0;

  add(file: string, reason: string): void {
    this.#total += 1;
    if (this.#files.length < MAX_NAMED) this.#files.push({ file, reason });
  }

  /** Nothing where all were read. */
  get part(): { unread?: z.output<typeof Unread> } {
    return this.#total === 0 ? {} : { unread: { total: this.#total, files: this.#files } };
  }
}
