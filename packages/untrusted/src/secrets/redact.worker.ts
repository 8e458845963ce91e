import { redactWith } from './redact-text.ts';

export interface RedactTask {
  /** Values of secrets in force. */
  readonly values: readonly string[];
  readonly text: string;
}

/** Runs in a thread: each million characters takes some 70 ms. */
export default function redact({ values, text }: RedactTask): string {
  return redactWith(values, text);
}
