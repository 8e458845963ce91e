/** As much of an AbortSignal as it takes to wait for one; every AbortSignal is one. */
export interface EndSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * The end of a request or a call. An AbortSignal costs as much as the rest of a short call, so one is made
 * only where it is asked for.
 */
export class RequestEnd implements EndSignal {
  #isOver = false;
  #reason: unknown;
  /** Most ends have one who listens, and a set costs more than all else of an end. */
  #listener: (() => void) | undefined;
  #others: Set<() => void> | undefined;
  #controller: AbortController | undefined;

  get aborted(): boolean {
    return this.#isOver;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** The same as an AbortSignal. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#isOver) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** The first call counts. */
  end(reason?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reason = reason ?? new DOMException('This operation was aborted', 'AbortError');
    this.#controller?.abort(this.#reason);
    const [listener, others] = [this.#listener, this.#others];
    this.#listener = undefined;
    this.#others = undefined;
    listener?.();
    for (const other of others ?? []) other();
  }

  /** Each listener is called once, as there is one end. */
  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.#listener === undefined) {
      this.#listener = listener;
    } else if (this.#listener !== listener) {
      this.#others ??= new Set();
      this.#others.add(listener);
    }
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    if (this.#listener === listener) this.#listener = undefined;
    else this.#others?.delete(listener);
  }
}
