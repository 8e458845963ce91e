import { isRecord } from '../json-type.ts';
import { MAX_KEY_CHARS } from '../registry/max-key-chars.ts';

/** How a caller of a long tool wants its call to run. */
export interface JobWish {
  readonly dispatch: 'sync' | 'async';
  readonly idempotencyKey: string | undefined;
}

/** Takes apart what a long tool's schema passed: what asks for a job, and what is the tool's own. */
export function splitJobArguments(value: unknown): { wish: JobWish; own: Readonly<Record<string, unknown>> } {
  const { dispatch, idempotencyKey, ...own } = isRecord(value) ? value : {};
  return {
    wish: {
      dispatch: dispatch === 'async' ? 'async' : 'sync',
      idempotencyKey: isKey(idempotencyKey) ? idempotencyKey : undefined,
    },
    own,
  };
}

/** Before normalisation: whether a call says `dispatch: "async"` in any place where arguments may be. */
export function saysAsync(params: Readonly<Record<string, unknown>>): boolean {
  return [params.arguments, params, params.args].some(
    (place) => isRecord(place) && place.dispatch === 'async',
  );
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_KEY_CHARS;
}
