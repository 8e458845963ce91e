import { describe, expect, it } from 'vitest';
import { areHarmless } from './are-harmless.ts';

const NAMED = 'user.name\nme\0';

/** @returns whether they are, and of how many git was asked */
async function asked(texts: readonly string[], listed: string | undefined): Promise<[boolean, number]> {
  let count = 0;
  const are = await areHarmless(texts, async () => {
    count += 1;
    return listed;
  });
  return [are, count];
}

describe('texts of settings', () => {
  it('are harmless where git finds nothing in any of them that runs code, and then are so for good', async () => {
    expect(await asked(['[a]\nb=1'], NAMED)).toEqual([true, 1]);
    expect(await asked(['[a]\nb=1', '[a]\nb=2'], 'diff.external\nx\0')).toEqual([false, 1]);
    expect(await asked(['[a]\nb=1', '[a]\nb=2'], `${NAMED}core.fsmonitor\0`)).toEqual([false, 1]);
    expect(await asked(['[a]\nb=2'], NAMED)).toEqual([true, 1]);
  });

  it('are not known to be where git can’t read them, or they are more than a text shows', async () => {
    expect(await asked(['[c'], undefined)).toEqual([false, 1]);
    expect(await asked(['[c'], undefined)).toEqual([false, 1]);
    expect(await asked(['[IncludeIf "onbranch:x"]\npath=x'], NAMED)).toEqual([false, 0]);
    expect(await asked([Buffer.from([0x5b, 0xff, 0x5d]).toString('utf8')], NAMED)).toEqual([false, 0]);
  });

  it('are forgotten where there are many of them, and asked for anew', async () => {
    const many = Array.from({ length: 600 }, (_, at) => `[many]\nat=${at}`);
    expect(await asked(many, NAMED)).toEqual([true, 600]);
    expect(await asked(many.slice(0, 1), NAMED)).toEqual([true, 1]);
    expect(await asked(many.slice(-1), NAMED)).toEqual([true, 0]);
  });
});
