import { Writable } from 'node:stream';

export interface ClaimedStdout {
  /** The only way to the real stdout while the claim lasts. */
  readonly stream: Writable;
  /** Gives `process.stdout.write` back. */
  release(): void;
}

/**
 * Keeps stdout for the protocol: whatever else in this process prints (`console.log` of a plugin or of a
 * library) goes to stderr until `release`. Call it before plugins are loaded. A child process that inherits
 * stdout, or a write to file descriptor 1, is out of its reach.
 */
export function claimStdout(): ClaimedStdout {
  const { stdout, stderr } = process;
  const original = stdout.write;
  const ignore = () => {};
  // `bind` keeps one of the overloads; both streams have the same.
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  // A reader that goes away is the channel's business, and a closed stderr is nobody's.
  stdout.on('error', ignore);
  stderr.on('error', ignore);
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => void original.call(stdout, chunk, encoding, done),
    // What was held back together leaves together.
    writev(queued, done) {
      const bytes = queued.map(({ chunk, encoding }) => Buffer.from(chunk, encoding));
      original.call(stdout, Buffer.concat(bytes), undefined, done);
    },
  });
  return {
    stream,
    release() {
      stdout.write = original;
      stdout.off('error', ignore);
      stderr.off('error', ignore);
    },
  };
}
