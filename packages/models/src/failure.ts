import { type ErrorCode, ToolError } from '@nexus/plugin-sdk';

/** Why a model gave no answer. */
export type FailureKind = 'unavailable' | 'rate_limited' | 'rejected' | 'refused';

const CODES = {
  unavailable: 'NEXUS_MODEL_UNAVAILABLE',
  rate_limited: 'NEXUS_MODEL_RATE_LIMITED',
  rejected: 'NEXUS_MODEL_REJECTED',
  refused: 'NEXUS_MODEL_REFUSED',
} as const satisfies Record<FailureKind, ErrorCode>;

/** A failure as every source of models reports it; what is to be retried is decided by its kind alone. */
export class ModelFailure extends Error {
  readonly kind: FailureKind;
  /** As the provider asks for. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: FailureKind, message: string, given: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, given.cause === undefined ? {} : { cause: given.cause });
    this.name = 'ModelFailure';
    this.kind = kind;
    this.retryAfterMs = given.retryAfterMs;
  }

  get isRetryable(): boolean {
    return this.kind === 'unavailable' || this.kind === 'rate_limited';
  }
}

export function toToolError(failure: ModelFailure, model: string): ToolError {
  const { retryAfterMs } = failure;
  return new ToolError(CODES[failure.kind], `${model}: ${failure.message}`, {
    detail: { model, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
    cause: failure,
  });
}
