import { Socket } from 'node:net';

const LOOPBACK = /^(127\.|::1$|localhost$)/;

/** Records each TCP connection that leaves this machine, until stopped. */
export function watchConnections(): { readonly remote: string[]; stop(): void } {
  const remote: string[] = [];
  const original = Socket.prototype.connect;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    const target = args.flat()[0];
    const host =
      (target as { host?: string } | undefined)?.host ?? (typeof args[1] === 'string' ? args[1] : '');
    const isPath = typeof target === 'string' || Boolean((target as { path?: string } | undefined)?.path);
    if (!isPath && host !== '' && !LOOPBACK.test(host)) remote.push(host);
    return Reflect.apply(original, this, args);
  } as typeof original;
  return {
    remote,
    stop() {
      Socket.prototype.connect = original;
    },
  };
}
