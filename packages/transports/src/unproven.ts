import type { Socket } from 'node:net';

/** Connections that have not said who they are. */
export interface Unproven {
  add(socket: Socket): void;
  /** It has shown that it may be here. */
  prove(socket: Socket): void;
}

/**
 * Holds at most so many: each costs a file descriptor, and without one left no program can be started and no file
 * be opened. The one that has been silent longest makes room, so that a newcomer with something to say is heard.
 */
export function createUnproven(max: number): Unproven {
  const sockets = new Map<Socket | string, Socket>();
  return {
    add(socket) {
      const [oldest] = sockets;
      if (oldest && sockets.size >= max) {
        sockets.delete(oldest[0]);
        oldest[1].destroy();
      }
      const key = keyOf(socket);
      sockets.set(key, socket);
      socket.once('close', () => sockets.delete(key));
    },
    prove(socket) {
      sockets.delete(keyOf(socket));
    },
  };
}

/** Under TLS, a request's socket is another object than the connection that it came by. */
function keyOf(socket: Socket): Socket | string {
  const { remoteAddress, remotePort } = socket;
  return remotePort === undefined ? socket : `${remoteAddress} ${remotePort}`;
}
