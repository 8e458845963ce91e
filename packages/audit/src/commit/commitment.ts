import { createHmac, hash as digest, randomBytes } from 'node:crypto';

/** How much of arguments and results is kept: nothing, a commitment to them, or their text beside it. */
export type Contents = 'none' | 'committed' | 'full';

/** What the chain has of a text: nobody can guess a short one from it without the salt, which lies apart. */
export interface Commitment {
  /** HMAC-SHA-256 of the text in UTF-8 with the salt as its key, as hexadecimal digits. */
  readonly hmac: string;
  /** SHA-256 of the salt's bytes, so that a false salt is told from the true one; not in chains of before. */
  readonly saltHash?: string | undefined;
  /** Characters. */
  readonly size: number;
}

/** What opens a commitment, and is not part of the chain: it can be erased and leaves that whole. */
export interface Opening {
  readonly seq: number;
  /** Which member of the event's data it opens. */
  readonly member: string;
  /** 16 bytes, as hexadecimal digits. */
  readonly salt: string;
  /** What was committed to, where texts are kept. */
  readonly text?: string | undefined;
}

/** Commits to a text that comes in pieces. */
export class Committing {
  readonly #salt = randomBytes(16).toString('hex');
  readonly #hmac = createHmac('sha256', Buffer.from(this.#salt, 'hex'));
  #size = 0;

  add(piece: string): void {
    this.#hmac.update(piece);
    this.#size += piece.length;
  }

  /** @returns the commitment to all of it, and the salt that opens that; asked for once */
  end(): { readonly commitment: Commitment; readonly salt: string } {
    const commitment = { hmac: this.#hmac.digest('hex'), saltHash: saltHashOf(this.#salt), size: this.#size };
    return { commitment, salt: this.#salt };
  }
}

/** SHA-256 of the salt's bytes, as hexadecimal digits. */
export function saltHashOf(salt: string): string {
  return digest('sha256', Buffer.from(salt, 'hex'));
}

/** Whether the text is what was committed to. */
export function opens(commitment: Commitment, { salt, text }: { salt: string; text: string }): boolean {
  return commitment.hmac === hmacOf(text, salt);
}

function hmacOf(text: string, salt: string): string {
  return createHmac('sha256', Buffer.from(salt, 'hex')).update(text).digest('hex');
}
