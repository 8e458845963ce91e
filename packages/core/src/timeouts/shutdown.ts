import { Running } from '../running.ts';

/** The server's end as its calls see it: one listener on the signal, however many of them run. */
export interface Shutdown {
  /** True from the moment the server stops. */
  readonly hasBegun: boolean;
  /** Called once when it does; a call that is over takes its own out. */
  readonly listeners: Running<() => void>;
}

export function watchShutdown(signal: AbortSignal): Shutdown {
  const listeners = new Running<() => void>();
  signal.addEventListener('abort', () => {
    for (const listener of listeners.all()) listener();
  });
  return {
    get hasBegun() {
      return signal.aborted;
    },
    listeners,
  };
}
