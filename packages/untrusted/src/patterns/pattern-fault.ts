import { cutEnd } from '@nexus/primitives';

/** A pattern that can't be matched in linear time, or a match that would take too long. */
export class PatternFault extends Error {
  override readonly name = 'PatternFault';
  /** The pattern as given. */
  readonly pattern: string;

  constructor(pattern: string, reason: string, options?: ErrorOptions) {
    super(`The pattern ${JSON.stringify(cutEnd(pattern, MAX_SHOWN))} ${reason}.`, options);
    this.pattern = pattern;
  }
}

const MAX_SHOWN = 100;
