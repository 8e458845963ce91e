import { randomBytes } from 'node:crypto';
import {
  closeSync,
  type FSWatcher,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  unlinkSync,
  watch,
} from 'node:fs';
import { join } from 'node:path';

/** A file's name may have 255 bytes; who sent it, and its number, are in front. */
const MAX_NAME_BYTES = 200;
/** A notice whose process died between making and taking it away. */
const DEBRIS_MS = 60_000;

export interface Notice {
  readonly channel: string;
  /** Undefined where it was too long to be passed on. */
  readonly payload: string | undefined;
}

/** What processes of one data directory tell each other at once. */
export interface FileNotices {
  send(channel: string, payload: string): void;
  /** What others send from now on, as far as the file system tells of it. */
  hear(listener: (notice: Notice) => void): void;
  close(): void;
}

/** Each notice is a file that comes and goes at once: its name says it all, and the kernel tells whoever looks. */
export function fileNotices(dataDir: string): FileNotices {
  const folder = join(dataDir, 'notices');
  const self = randomBytes(6).toString('hex');
  let count = 0;
  let watcher: FSWatcher | undefined;

  const make = () => mkdirSync(folder, { recursive: true, mode: 0o700 });

  return {
    send(channel, payload) {
      const whole = `${encode(channel)}.${encode(payload)}`;
      const text = whole.length <= MAX_NAME_BYTES ? whole : encode(channel);
      const path = join(folder, `${self}.${++count}.${text}`);
      const comeAndGo = () => {
        closeSync(openSync(path, 'wx', 0o600));
        unlinkSync(path);
      };
      try {
        comeAndGo();
      } catch {
        try {
          // The first of all, or the folder was taken away.
          make();
          comeAndGo();
        } catch {
          // A hint that does not arrive: who listens looks for himself now and then.
        }
      }
    },
    hear(listener) {
      if (watcher) return;
      try {
        make();
        const seen = new Map<string, number>();
        watcher = watch(folder, { persistent: false }, (_event, name) => {
          const [from, number, channel, payload] = name?.split('.') ?? [];
          if (from === undefined || from === self || channel === undefined) return;
          // It is told of twice: as it comes, and as it goes.
          if (Number(number) <= (seen.get(from) ?? 0)) return;
          seen.set(from, Number(number));
          listener({ channel: decode(channel), payload: payload === undefined ? payload : decode(payload) });
        });
        // Where no more can be watched, all is found by looking.
        watcher.on('error', () => {});
        removeDebris(folder);
      } catch {
        // The same.
      }
    },
    close: () => watcher?.close(),
  };
}

/** As `send` names them: whatever else lies in a folder of that name is somebody else's. */
const NOTICE = /^[0-9a-f]{12}\.\d+\./;

function removeDebris(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => NOTICE.test(each))) {
    const path = join(folder, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs !== undefined && Date.now() - mtimeMs > DEBRIS_MS) unlinkSync(path);
  }
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function decode(text: string): string {
  return Buffer.from(text, 'base64url').toString();
}
