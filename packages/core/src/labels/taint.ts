import type { Label } from '@nexus/plugin-sdk';
import { hasWords } from './has-words.ts';
import type { Known } from './known.ts';

/** Characters of JSON that are remembered as said. */
const MOST_SAID = 200_000;
/** The choice among what was said tells something, too: so often it may be made unasked. */
const MOST_REPEATS = 20;

/**
 * What a call, or a run with its family, has come to know by the answers of tools: carried by it, and handed to
 * whoever gets its answer. It only grows.
 */
export class Taint {
  readonly #outer: Taint | undefined;
  /** JSON that was said before anything private was known; of the outermost alone. */
  #said: string[] = [];
  #saidChars = 0;
  #repeats = 0;
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

  /** What another process has come to know of it: what was said here since may rest on that. */
  learn(known: Known): void {
    this.#untrusted ??= known.untrusted;
    if (known.private === undefined || this.#private !== undefined) return;
    this.#private = known.private;
    this.#said = [];
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

  /** What a call was given, as JSON: while nothing private is known, none of it is private. */
  said(json: string): void {
    const outermost = this.#outermost;
    if (this.known.private !== undefined || outermost.#saidChars + json.length > MOST_SAID) return;
    outermost.#said.push(json);
    outermost.#saidChars += json.length;
  }

  /** Whether all of these texts, as JSON without its quotes, stood in what was said; that often, and no more. */
  mayRepeat(texts: readonly string[]): boolean {
    const outermost = this.#outermost;
    const hasSaid = (text: string) => outermost.#said.some((json) => hasWords(json, text));
    if (outermost.#repeats >= MOST_REPEATS || !texts.every(hasSaid)) return false;
    outermost.#repeats += 1;
    return true;
  }

  get #outermost(): Taint {
    return this.#outer === undefined ? this : this.#outer.#outermost;
  }

  /** All that went into a call made from here, that of the outer ones too. */
  get known(): Known {
    const outer = this.#outer?.known;
    return { untrusted: outer?.untrusted ?? this.#untrusted, private: outer?.private ?? this.#private };
  }
}
