/** What a program printed: its first and its last words, however much came between. */
export class KeptOutput {
  readonly #maxChars: number;
  #head = '';
  #tail = '';
  #left = 0;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  add(text: string): void {
    const half = Math.floor(this.#maxChars / 2);
    const room = half - this.#head.length;
    this.#head += text.slice(0, Math.max(0, room));
    const rest = this.#tail + text.slice(Math.max(0, room));
    const over = Math.max(0, rest.length - half);
    this.#left += over;
    this.#tail = rest.slice(over);
  }

  get text(): string {
    if (this.#left === 0) return this.#head + this.#tail;
    return `${this.#head}\n[… ${this.#left} characters left out …]\n${this.#tail}`;
  }
}
