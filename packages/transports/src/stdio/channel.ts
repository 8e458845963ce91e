import type { Readable, Writable } from 'node:stream';
import type { Channel } from '@nexus/core';
import type { Log } from '@nexus/plugin-sdk';
import { jsonLinesChannel } from '../json-lines/index.ts';
import { claimStdout } from './claim-stdout.ts';

export interface StdioOptions {
  /** Default: the process's own. */
  readonly stdin?: Readable;
  /** Default: the process's own, claimed until the channel is closed. */
  readonly stdout?: Writable;
  readonly log: Log;
  readonly maxMessageBytes?: number | undefined;
  readonly maxQueuedBytes?: number | undefined;
}

/** The host that started this process: its requests on stdin, our answers on stdout. */
export function stdioChannel(options: StdioOptions): Channel {
  const claimed = options.stdout ? undefined : claimStdout();
  const channel = jsonLinesChannel({
    ...options,
    kind: 'stdio',
    readable: options.stdin ?? process.stdin,
    writable: options.stdout ?? claimed?.stream ?? process.stdout,
  });
  return {
    ...channel,
    async close() {
      await channel.close();
      claimed?.release();
    },
  };
}
