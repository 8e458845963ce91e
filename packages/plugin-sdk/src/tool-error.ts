/** A code of the error table (docs/errors.md); the table gives its category and whether a retry helps. */
export type ErrorCode = `NEXUS_${string}`;

/**
 * What a tool throws when the caller can do something about it. It leaves as a result with
 * `isError: true`, the message as text and the code under `_meta["nexus/error"]`.
 */
export class ToolError extends Error {
  readonly code: ErrorCode;
  /** Machine-readable facts for the caller; no secrets, no stack. */
  readonly detail: Readonly<Record<string, unknown>> | undefined;

  /**
   * @param code of the table, such as `NEXUS_NOT_FOUND`
   * @param message what happened, with which value, and what to do about it
   */
  constructor(
    code: ErrorCode,
    message: string,
    options: { detail?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'ToolError';
    this.code = code;
    this.detail = options.detail;
  }
}

/** True for a ToolError of any copy of this package: a plugin may bring its own. */
export function isToolError(error: unknown): error is ToolError {
  return (
    error instanceof Error && error.name === 'ToolError' && 'code' in error && typeof error.code === 'string'
  );
}
