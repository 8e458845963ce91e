import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A row on its way to be compared: its key, and its fields as canonical text. */
export type Packed = readonly [key: string, fields: Readonly<Record<string, string>>];

const BUFFER_CHARS = 16 * 1024;

/** Rows of one file, in as many files of a folder, each key always in the same of them. */
export class Partitions {
  readonly #files: { readonly path: string; readonly descriptor: number; text: string }[];

  constructor(folder: string, name: string, count: number) {
    this.#files = Array.from({ length: count }, (_, at) => {
      const path = join(folder, `${name}-${at}`);
      return { path, descriptor: openSync(path, 'wx', 0o600), text: '' };
    });
  }

  add(row: Packed): void {
    const file = this.#files[hash(row[0]) % this.#files.length];
    if (!file) return;
    file.text += `${JSON.stringify(row)}\n`;
    if (file.text.length > BUFFER_CHARS) this.#flush(file);
  }

  /** What was added is now to be read. */
  close(): void {
    for (const file of this.#files) {
      this.#flush(file);
      closeSync(file.descriptor);
    }
  }

  async *read(at: number): AsyncGenerator<Packed> {
    const path = this.#files[at]?.path;
    if (path === undefined) return;
    // JSON escapes what else ends a line.
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      yield JSON.parse(line) as Packed; // as `add` wrote it
    }
  }

  #flush(file: { readonly descriptor: number; text: string }): void {
    for (let bytes = Buffer.from(file.text); bytes.length > 0; ) {
      bytes = bytes.subarray(writeSync(file.descriptor, bytes));
    }
    file.text = '';
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value >>> 0;
}
