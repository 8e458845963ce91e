type Write = (message: string, fields?: Readonly<Record<string, unknown>>) => void;

/** Structured log lines on stderr; `fields` must hold no secrets. */
export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}
