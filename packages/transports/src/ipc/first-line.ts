import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';

/** Reads up to the first newline and leaves what follows in the socket, for whoever reads on. */
export function readFirstLine(
  socket: Socket,
  { maxBytes, signal }: { maxBytes: number; signal?: AbortSignal | undefined },
): Promise<string> {
  return new Promise((resolve, reject) => {
    let held = Buffer.alloc(0);
    const stop = () => {
      socket.off('readable', read).off('end', ended).off('close', ended).off('error', failed);
      signal?.removeEventListener('abort', aborted);
    };
    const failed = (error: Error) => {
      stop();
      reject(error);
    };
    const ended = () => failed(new Error('the connection ended before its first line'));
    const aborted = () => failed(signal?.reason);
    const read = () => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
        held = Buffer.concat([held, chunk]);
        const end = held.indexOf('\n');
        if (end !== -1) {
          stop();
          if (end + 1 < held.length) socket.unshift(held.subarray(end + 1));
          return resolve(held.toString('utf8', 0, end));
        }
        if (held.length > maxBytes)
          return failed(new Error(`the first line has more than ${maxBytes} bytes`));
      }
    };
    socket.on('readable', read).on('end', ended).on('close', ended).on('error', failed);
    signal?.addEventListener('abort', aborted);
    if (signal?.aborted) aborted();
  });
}
