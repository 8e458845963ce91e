import type { ToolError } from '@nexus/plugin-sdk';

/** What another attempt may mend; and what it comes to where there is none. */
export class Retryable extends Error {
  readonly asToolError: ToolError;
  readonly afterMs: number | undefined;

  constructor(asToolError: ToolError, afterMs?: number) {
    super(asToolError.message);
    this.asToolError = asToolError;
    this.afterMs = afterMs;
  }
}
