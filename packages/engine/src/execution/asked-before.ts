/** What a run has asked for so far, as it goes through its steps. */
export class AskedBefore {
  readonly #names = new Set<string>();
  readonly #guards = new Map<string, number>();

  /** @throws {Error} for a name that the run has used */
  claimName(name: string): void {
    if (name.length === 0 || name.length > 300) {
      throw new Error(`a step's name has 1 to 300 characters, not ${name.length}`);
    }
    if (this.#names.has(name)) {
      throw new Error(`the run uses the name "${name}" twice: number the steps of a loop`);
    }
    this.#names.add(name);
  }

  /** How often the run has asked for this before. */
  countGuarded(digest: string): number {
    const count = this.#guards.get(digest) ?? 0;
    this.#guards.set(digest, count + 1);
    return count;
  }
}
