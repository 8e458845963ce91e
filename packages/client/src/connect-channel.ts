import type { Channel } from '@nexus/core';
import type { SessionOptions } from './connect-options.ts';
import type { Connection, Ending } from './connection.ts';
import { attemptSignal } from './session/attempt-signal.ts';
import { openSession } from './session/open-session.ts';

/**
 * Opens a session with a Nexus of this user's own over a channel that stands already: a socket, or memory.
 * @throws {ConnectionError} the server does not answer in time, answers wrongly, or ends
 * @throws the signal's reason
 */
export async function connectChannel(channel: Channel, options: SessionOptions): Promise<Connection> {
  let over: (ending: Ending) => void = () => {};
  const ended = new Promise<Ending>((resolve) => {
    over = resolve;
  });
  const carrier = {
    channel: {
      ...channel,
      start: ({ message }: Parameters<Channel['start']>[0]) =>
        channel.start({ message, closed: () => over({ reason: 'closed the connection' }) }),
    },
    ended,
    async end() {
      await channel.close();
      over({ reason: 'was closed' });
    },
  };
  using attempt = attemptSignal(options);
  // Awaited here: the attempt's time counts until the session stands.
  return await openSession(carrier, {
    ...options,
    mask: (text) => text,
    signal: attempt.signal,
    stranger: undefined,
  });
}
