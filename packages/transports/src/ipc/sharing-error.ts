/** Why this process can't share a server; the text says what to do about it. */
export class SharingError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'SharingError';
  }
}
