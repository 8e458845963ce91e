import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { call, changeLines, type MadeTrail, madeTrail } from '../test/made-trail.ts';
import { openKey } from './checkpoint/key.ts';
import { knownKeys, knownKeysFile } from './checkpoint/known-keys.ts';
import { signStatement, statementFault } from './checkpoint/statements.ts';

function writing(made: MadeTrail) {
  const error = vi.fn();
  const warn = vi.fn();
  const log = { debug() {}, info() {}, warn, error };
  const write = async (checkpoints: number) => {
    error.mockClear();
    const trail = await made.begin({ log });
    call(trail, 'memory_write');
    for (let taken = 0; taken < checkpoints; taken += 1) await trail.checkpoint();
    await trail.close();
    return error.mock.calls;
  };
  return { write, warn };
}

describe('a trail whose key is gone', () => {
  it('holds as one of one owner, whichever of the keys that signed here is there, and says so once', async () => {
    using made = madeTrail();
    const { write, warn } = writing(made);
    expect(await write(1)).toEqual([]);
    renameSync(made.keyFile, `${made.keyFile}.away`);
    const told = [
      [
        expect.stringContaining('is signed from now on by another key than before'),
        expect.objectContaining({ file: made.keyFile }),
      ],
    ];
    expect(await write(2)).toEqual(told);
    const whole = { unaltered: true, complete: true, fresh: true, faults: [] };
    expect(await made.verify()).toMatchObject(whole);

    renameSync(made.keyFile, `${made.keyFile}.between`);
    renameSync(`${made.keyFile}.away`, made.keyFile);
    expect(await made.verify()).toMatchObject(whole);
    // The newest was signed by the one that had come between.
    expect(await write(1)).toEqual(told);
    expect(await write(1)).toEqual([]);
    const found = await made.verify();
    expect(found).toMatchObject(whole);
    const [first, between, last, ...rest] = found.signedBy;
    expect(first?.to).toBe((between?.from ?? 0) - 1);
    expect(last).toMatchObject({ key: first?.key, from: (between?.to ?? 0) + 1 });
    expect([between?.key === first?.key, rest]).toEqual([false, []]);
    expect(warn).not.toHaveBeenCalled();
    expect(readFileSync(knownKeysFile(made.keyFile), 'utf8').match(/nexus/g)).toHaveLength(2);
    const file = join(made.trail, 'checkpoints', `0000000${between?.from}.note`);
    changeLines(file, (lines) => lines.map((line) => line.replace(/^at .*/, 'at 2020-01-01T00:00:00.000Z')));
    const { faults } = await made.verify();
    expect(faults).toContainEqual({
      ...{ kind: 'edited', where: file, what: 'its signature is not one of these words' },
    });
    expect(faults.map(({ kind }) => kind)).not.toContain('key_replaced');
  });

  it('has a note of its beginning that was changed told as no note, whichever of the keys it names', async () => {
    using made = madeTrail();
    const { write } = writing(made);
    await write(1);
    const before = openKey(made.keyFile, 'nexus');
    renameSync(made.keyFile, `${made.keyFile}.away`);
    await write(1);
    const verifier = openKey(made.keyFile, 'nexus');
    const statement = { about: 'begin', writer: 'w', first: 'f' } as const;
    const note = signStatement('p', statement, before);
    expect(statementFault('p', statement, { note, verifier })).toBeUndefined();
    const changed = signStatement('p', { ...statement, first: 'g' }, before).replace(
      'begin w g',
      'begin w f',
    );
    expect(statementFault('p', statement, { note: changed, verifier })).toBe('unsigned');
  });

  it('has what an unknown key signed told as that, until that key was there once, and is fresh all the while', async () => {
    using made = madeTrail();
    const { write } = writing(made);
    await write(1);
    renameSync(dirname(made.keyFile), `${dirname(made.keyFile)}.away`);
    expect(await write(1)).toEqual([
      [
        expect.stringContaining('that one is not known here'),
        expect.objectContaining({ known: knownKeysFile(made.keyFile) }),
      ],
    ]);
    const found = await made.verify();
    expect(found).toMatchObject({ unaltered: false, fresh: true, behind: [] });
    expect(new Set(found.faults.map(({ kind }) => kind))).toEqual(new Set(['key_replaced']));
    const own = readFileSync(made.keyFile);
    writeFileSync(made.keyFile, readFileSync(made.keyFile.replace('/key/', '/key.away/')));
    await write(1);
    writeFileSync(made.keyFile, own);
    expect(await made.verify()).toMatchObject({ unaltered: true, fresh: true, faults: [] });
  });

  it('knows no line that is no key, and goes on where nothing can be known', async () => {
    using made = madeTrail();
    const { write, warn } = writing(made);
    await write(1);
    const file = knownKeysFile(made.keyFile);
    const [known] = knownKeys(made.keyFile);
    writeFileSync(file, `half a k\n${known?.text.slice(0, -5)}\n${known?.text}\n${known?.text}\n`);
    expect(knownKeys(made.keyFile).map(({ text }) => text)).toEqual([known?.text]);
    rmSync(file);
    mkdirSync(file);
    expect(await write(1)).toEqual([]);
    expect(warn).toHaveBeenCalled();
  });
});

it('a trail whose key can’t be read goes on, says so as an error, and what to do', async () => {
  using made = madeTrail();
  mkdirSync(dirname(made.keyFile), { recursive: true });
  writeFileSync(made.keyFile, 'no key');
  const error = vi.fn();
  const trail = await made.begin({ log: { debug() {}, info() {}, warn() {}, error } });
  call(trail, 'memory_write');
  expect(error.mock.calls).toEqual([
    [
      expect.stringContaining('told as unsigned'),
      { err: expect.objectContaining({ code: 'NEXUS_FILE_UNREADABLE' }) },
    ],
  ]);
  await expect(trail.checkpoint()).rejects.toThrow(
    /can’t be read from .*move the file away, and another is made/,
  );
  await trail.close();
});
