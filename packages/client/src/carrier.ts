import type { Channel } from '@nexus/core';
import type { Ending } from './connection.ts';

/** What carries the messages of one connection: a process, or HTTP. */
export interface Carrier {
  readonly channel: Channel;
  /** Of a process. */
  readonly pid?: number | undefined;
  /** Resolves when no message will come any more; its process may still be ending. */
  readonly ended: Promise<Ending>;
  /** What both sides agreed on at initialize, for carriers that repeat it with each message. */
  agreed?(protocolVersion: string): void;
  /** Resolves when nothing of it is left. */
  end(): Promise<void>;
}
