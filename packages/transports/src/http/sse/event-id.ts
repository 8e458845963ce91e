/** Where in which stream an event stands: `<stream>-<sequence>`, unique within its session. */
export interface Position {
  readonly stream: number;
  /** 0 stands before the stream's first event. */
  readonly sequence: number;
}

export function eventId({ stream, sequence }: Position): string {
  return `${stream}-${sequence}`;
}

/** @returns undefined for what this server never sent */
export function readEventId(text: string): Position | undefined {
  const [, stream, sequence] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  return stream === undefined ? undefined : { stream: Number(stream), sequence: Number(sequence) };
}
