import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { joinSignals } from './join-signals.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('joinSignals', () => {
  it('fires with the reason of the first that fires, and of none that comes later', () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const joined = joinSignals(first.signal, second.signal);
    expect(joined.aborted).toBe(false);
    second.abort('second');
    first.abort('first');
    expect(joined.reason).toBe('second');
  });

  it('has fired where one of them has', () => {
    const joined = joinSignals(new AbortController().signal, AbortSignal.abort('before'));
    expect(joined.reason).toBe('before');
  });

  it('leaves no listener behind, whether one fires or it is disposed of', () => {
    const long = new AbortController();
    const other = new AbortController();
    const ended = joinSignals(long.signal, other.signal);
    {
      using _joined = joinSignals(long.signal, new AbortController().signal);
      expect(getEventListeners(long.signal, 'abort')).toHaveLength(2);
    }
    other.abort();
    expect(ended.aborted).toBe(true);
    expect(getEventListeners(long.signal, 'abort')).toEqual([]);
  });

  it('does not fire any more once it is disposed of', () => {
    const source = new AbortController();
    const joined = joinSignals(source.signal);
    joined[Symbol.dispose]();
    source.abort();
    expect(joined.aborted).toBe(false);
  });

  it('fires at a deadline that nobody else holds, whatever is collected meanwhile', async () => {
    const fired: string[] = [];
    const wait = (name: string, signal: AbortSignal) =>
      signal.addEventListener('abort', () => fired.push(name), { once: true });
    wait('deadline', joinSignals(new AbortController().signal, AbortSignal.timeout(100)));
    wait('nested', joinSignals(joinSignals(AbortSignal.timeout(100))));
    for (let turn = 0; turn < 5; turn += 1) {
      await sleep(10);
      collectGarbage();
    }
    await expect.poll(() => fired.sort()).toEqual(['deadline', 'nested']);
  });
});
