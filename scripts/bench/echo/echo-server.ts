/** A way to the echo tool of server-everything, whatever stands in between. */
export interface EchoServer {
  /** Calls the tool, and checks its answer. */
  echo(): Promise<void>;
  /** The process that was started: its whole tree is what this way costs in memory. */
  readonly pid: number;
  stop(): Promise<void>;
}

export const MESSAGE = 'hello';

/** @throws {Error} for anything but the tool's own answer */
export function assertEchoed(answer: string): void {
  if (!answer.includes(`Echo: ${MESSAGE}`)) throw new Error(`no echo: ${answer.slice(0, 300)}`);
}
