import type { Buffer } from 'node:buffer';
import type { JsonRpcMessage } from '@nexus/core';
import { readLine } from '../../json-lines/read-line.ts';
import { callIdOf } from './plain-lines.ts';
import { withNewline } from './with-newline.ts';

/**
 * A line of the host, kept as it came: what the owner gets is what the host wrote. Read when something asks what
 * it says, which for most calls is never.
 */
export class HostLine {
  readonly line: Buffer;
  /** Of a call of a tool whose id stands where one can see it. */
  readonly callId: string | number | undefined;
  #message: JsonRpcMessage | undefined;
  #isRead = false;

  /** @param bytes without the newline, and lent for this call only */
  constructor(bytes: Buffer) {
    this.line = withNewline(bytes);
    this.callId = callIdOf(bytes);
  }

  /** Undefined when the line is faulty: the owner refuses it, as it would on its own stdio. */
  get message(): JsonRpcMessage | undefined {
    if (!this.#isRead) {
      const parsed = readLine(this.line.subarray(0, -1));
      this.#message = parsed?.kind === 'message' ? parsed.message : undefined;
      this.#isRead = true;
    }
    return this.#message;
  }
}
