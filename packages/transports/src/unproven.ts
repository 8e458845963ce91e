import type { Socket } from 'node:net';

/** Connections that have not said who they are. */
export interface Unproven {
  /** One that there is no room for is destroyed. */
  add(socket: Socket): void;
  /** It has shown that it may be here. */
  prove(socket: Socket): void;
  /**
   * Puts out the one that has been silent longest.
   * @returns whether there was one that has had its time to speak
   */
  makeRoom(): boolean;
}

/** How long a connection has to say something before it may have to make room: its words may be on their way. */
const ITS_TIME_MS = 250;
interface Patience {
  readonly itsTimeMs?: number;
  /** So many times as many may be there for as long as none has had its time. */
  readonly crowd?: number;
}

/**
 * Holds at most so many: each costs a file descriptor, and without one left no program can be started and no file
 * be opened. The one that has been silent longest makes room, so that a newcomer with something to say is heard; but
 * none that has not had its time to speak, of which a process that was busy has heard nothing.
 */
export function createUnproven(max: number, { itsTimeMs = ITS_TIME_MS, crowd = 1 }: Patience = {}): Unproven {
  const sockets = new Map<Socket | string, { readonly socket: Socket; hadItsTime: boolean }>();

  function makeRoom(): boolean {
    const [oldest] = sockets;
    if (!oldest?.[1].hadItsTime) return false;
    sockets.delete(oldest[0]);
    oldest[1].socket.destroy();
    return true;
  }

  return {
    add(socket) {
      if (sockets.size >= max && !makeRoom() && sockets.size >= crowd * max) {
        socket.destroy();
        return;
      }
      const key = keyOf(socket);
      const entry = { socket, hadItsTime: false };
      // What came in while the process was busy is read after its timers, and before this.
      const had = () => {
        entry.hadItsTime = true;
        if (sockets.size > max) makeRoom();
      };
      const timer = setTimeout(() => setImmediate(had).unref(), itsTimeMs).unref();
      sockets.set(key, entry);
      socket.once('close', () => {
        clearTimeout(timer);
        if (sockets.get(key) === entry) sockets.delete(key);
      });
    },
    prove(socket) {
      sockets.delete(keyOf(socket));
    },
    makeRoom,
  };
}

/** Under TLS, a request's socket is another object than the connection that it came by. */
function keyOf(socket: Socket): Socket | string {
  const { remoteAddress, remotePort } = socket;
  return remotePort === undefined ? socket : `${remoteAddress} ${remotePort}`;
}
