export interface HttpAddress {
  readonly host?: string;
  readonly port?: number;
}

/**
 * `7333`, `0.0.0.0:7333`, `[::1]:7333`.
 * @throws {Error} for anything else
 */
export function readHttpAddress(text: string): HttpAddress {
  const [, bracketed, plain, digits] = /^(?:\[(.+)\]:|([^:[\]]+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) {
    throw new Error(
      `--http takes [host:]port, such as 7333 or 127.0.0.1:7333; received ${JSON.stringify(text)}`,
    );
  }
  const host = bracketed ?? plain;
  return { port, ...(host === undefined ? {} : { host }) };
}
