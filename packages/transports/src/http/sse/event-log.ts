/** One event as it was or would have been sent. */
export interface LoggedEvent {
  readonly stream: number;
  /** Counts from 1 within its stream. */
  readonly sequence: number;
  /** One JSON-RPC message, serialised. */
  readonly data: string;
}

/** The latest events of all streams of one session, so that a dropped connection can be taken up again. */
export interface EventLog {
  add(event: LoggedEvent): void;
  /** What is still kept of the stream after `sequence`, in order. */
  after(stream: number, sequence: number): readonly LoggedEvent[];
}

/**
 * @param maxBytes beyond this the oldest events go; the newest is kept whatever its size, since a message
 *   that is larger than the bound must pass, too
 */
export function createEventLog(maxBytes: number): EventLog {
  // A set keeps the order of insertion and frees its first in one step.
  const events = new Set<LoggedEvent>();
  let bytes = 0;
  return {
    add(event) {
      events.add(event);
      bytes += event.data.length;
      for (const oldest of events) {
        if (bytes <= maxBytes || events.size === 1) break;
        events.delete(oldest);
        bytes -= oldest.data.length;
      }
    },
    after: (stream, sequence) =>
      [...events].filter((event) => event.stream === stream && event.sequence > sequence),
  };
}
