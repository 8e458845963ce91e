import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';

/** Reads up to the first newline and leaves what follows in the socket, for whoever reads on. */
export function readFirstLine(
  socket: Socket,
  { maxBytes, signal }: { maxBytes: number; signal?: AbortSignal | undefined },
): Promise<string> {
  return new Promise((resolve, reject) => {
    // Put together once, at the end: a long line comes in many pieces.
    const chunks: Buffer[] = [];
    let bytes = 0;
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
      for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) {
        const end = chunk.indexOf('\n');
        chunks.push(end === -1 ? chunk : chunk.subarray(0, end));
        if (end !== -1) {
          stop();
          if (end + 1 < chunk.length) socket.unshift(chunk.subarray(end + 1));
          return resolve(Buffer.concat(chunks).toString('utf8'));
        }
        bytes += chunk.length;
        if (bytes > maxBytes) return failed(new Error(`the first line has more than ${maxBytes} bytes`));
      }
    };
    socket.on('readable', read).on('end', ended).on('close', ended).on('error', failed);
    signal?.addEventListener('abort', aborted);
    if (signal?.aborted) aborted();
  });
}
