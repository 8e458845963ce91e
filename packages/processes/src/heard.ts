import type { Readable } from 'node:stream';

/**
 * Tells a listener what a program prints, until its stream is closed; one that nothing was printed on may be so
 * before anybody listens.
 * @param end called when the listener throws
 * @returns what the listener threw
 */
export async function heard(
  stream: Readable,
  listener: (text: string) => void,
  end: () => void,
): Promise<{ readonly error: unknown } | undefined> {
  let fault: { readonly error: unknown } | undefined;
  stream.on('error', () => {});
  stream.setEncoding('utf8').on('data', (text: string) => {
    if (fault) return;
    try {
      listener(text);
    } catch (error) {
      fault = { error };
      end();
    }
  });
  if (!stream.closed) await new Promise<void>((resolve) => void stream.once('close', resolve));
  return fault;
}
