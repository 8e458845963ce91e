import type { Label } from '@nexus/plugin-sdk';

/** Where something came from first: the name of a tool. */
interface Sources {
  readonly untrusted: string | undefined;
  readonly private: string | undefined;
}

/**
 * What a call, or a run with its family, has come to know by the answers of tools: carried by it, and handed to
 * whoever gets its answer. It only grows.
 */
export class Taint {
  readonly #outer: Taint | undefined;
  #untrusted: string | undefined;
  #private: string | undefined;

  /** @param outer whose knowledge went into this, such as of the call that makes it */
  constructor(outer: Taint | undefined) {
    this.#outer = outer;
  }

  add({ trust, privacy }: Partial<Label>, from: string): void {
    if (trust === 'untrusted') this.#untrusted ??= from;
    if (privacy === 'private') this.#private ??= from;
  }

  /** The answer of a call that has this of its own: what it is by itself, and what it learnt on the way. */
  labelWith(label: Label): Label {
    return {
      trust: this.#untrusted === undefined ? label.trust : 'untrusted',
      privacy: this.#private === undefined ? label.privacy : 'private',
    };
  }

  /** The answer has arrived where it was asked for. */
  arrived(label: Label, from: string): void {
    this.#outer?.add(label, from);
  }

  /** All that went into a call made from here, that of the outer ones too. */
  get known(): Sources {
    const outer = this.#outer?.known;
    return { untrusted: outer?.untrusted ?? this.#untrusted, private: outer?.private ?? this.#private };
  }
}
