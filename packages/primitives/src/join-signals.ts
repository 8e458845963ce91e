/**
 * A signal that fires as soon as one of others does, with its reason. Until one fires or this is disposed of, they
 * hold each other: who joins what outlives the wait disposes of it.
 *
 * It stands in for `AbortSignal.any`, which loses ends to the garbage collector: on Node 20 that of an
 * `AbortSignal.timeout` that nobody else holds (nodejs/node#57736), on 24 and 26 that of a source that is gone
 * (nodejs/node#65995).
 */
export function joinSignals(...signals: readonly AbortSignal[]): AbortSignal & Disposable {
  const controller = new AbortController();
  const listeners = signals.map((signal) => ({ signal, onAbort: () => end(signal.reason) }));
  const letGo = () => {
    for (const { signal, onAbort } of listeners) signal.removeEventListener('abort', onAbort);
  };
  const end = (reason: unknown) => {
    letGo();
    controller.abort(reason);
  };
  const fired = signals.find(({ aborted }) => aborted);
  if (fired) end(fired.reason);
  else for (const { signal, onAbort } of listeners) signal.addEventListener('abort', onAbort, { once: true });
  return Object.assign(controller.signal, { [Symbol.dispose]: letGo });
}
