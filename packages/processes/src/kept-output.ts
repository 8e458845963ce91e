/** What a program printed: its first and its last words, however much came between. */
export class KeptOutput {
  readonly #maxChars: number;
  #head = '';
  #tail = '';
  #leftOut: number;

  /** @param leftOut characters that are missing already in what is added */
  constructor(maxChars: number, leftOut = 0) {
    this.#maxChars = maxChars;
    this.#leftOut = leftOut;
  }

  add(text: string): void {
    const half = Math.floor(this.#maxChars / 2);
    const room = half - this.#head.length;
    this.#head += text.slice(0, Math.max(0, room));
    const rest = this.#tail + text.slice(Math.max(0, room));
    const over = Math.max(0, rest.length - half);
    this.#leftOut += over;
    this.#tail = rest.slice(over);
  }

  get leftOut(): number {
    return this.#leftOut;
  }

  get text(): string {
    if (this.#leftOut === 0) return this.#head + this.#tail;
    return `${this.#head}\n[… ${this.#leftOut} characters left out …]\n${this.#tail}`;
  }
}
