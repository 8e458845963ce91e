import { cutEndCounted } from '@nexus/primitives';
import { ModelFailure } from '../failure.ts';

const MAX_CHARS = 500;

/** What a command line itself says went wrong, by its words: none of them has a code for it. */
export function cliFailure(message: string): ModelFailure {
  const text = cutEndCounted(message.trim(), MAX_CHARS) || 'it failed without a word';
  if (/rate.?limit|usage limit|too many requests|\b429\b/i.test(text))
    return new ModelFailure('rate_limited', text);
  if (/overloaded|\b5\d\d\b|ECONN|ETIMEDOUT|network/i.test(text))
    return new ModelFailure('unavailable', text);
  return new ModelFailure('rejected', text);
}

export function number(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
}
