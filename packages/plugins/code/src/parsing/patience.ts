/** What any file may take, on a machine that does much else. */
const BASE_MS = 2_000;
/** Ten times what the slowest grammar takes for dense code. */
const MS_PER_KB = 5;
/** What all files that overrun may take together, at full length; then each is given up on soon. */
const TOTAL_MS = 12_000;
const LEAST_MS = 250;

/** How long one request waits for files: one may be slow, but not each of hundreds. */
export class Patience {
  #leftMs = TOTAL_MS;

  limitMs(bytes: number): number {
    const full = BASE_MS + (bytes / 1_024) * MS_PER_KB;
    return Math.round(Math.max(LEAST_MS, Math.min(full, this.#leftMs)));
  }

  spend(ms: number): void {
    this.#leftMs -= ms;
  }
}
