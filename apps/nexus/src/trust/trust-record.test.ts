import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Part } from './part.ts';
import {
  declinedKey,
  declineParts,
  isDeclined,
  isTrusted,
  recordFile,
  recordStamp,
  revokeTrust,
  trustedBefore,
  trustParts,
  untrusted,
} from './trust-record.ts';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'nexus-record-'));
  vi.stubEnv('XDG_STATE_HOME', state);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(state, { recursive: true, force: true });
});

const part = (name: string, hash = 'one', place = '/project/nexus.config.json'): Part => ({
  place,
  path: [name],
  name,
  lines: [`${name} runs ${hash}`],
  hash,
});

// Elsewhere the folder of the state is no variable's.
describe.runIf(process.platform === 'linux')('what a user has said of a project', () => {
  it('is nothing at first: all waits, and nothing was declined', () => {
    const parts = [part('a'), part('b')];
    expect(untrusted(parts)).toEqual(parts);
    expect(trustedBefore(parts)).toEqual({});
    expect(isDeclined(parts)).toBe(false);
    expect(recordStamp('/project/nexus.config.json')).toBe('');
  });

  it('counts for a part as it stands, and no longer once that has changed', () => {
    const parts = [part('a'), part('b')];
    trustParts([part('a')], parts);
    expect(untrusted(parts)).toEqual([part('b')]);
    expect([isTrusted(part('a')), isTrusted(part('a', 'two')), isTrusted(part('b'))]).toEqual([
      true,
      false,
      false,
    ]);
    expect(trustedBefore([part('a', 'two')])).toEqual({ a: { hash: 'one', lines: ['a runs one'] } });
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'is nothing of a part named %s',
    (name) => {
      trustParts([part('a')], [part('a')]);
      expect(isTrusted(part(name))).toBe(false);
      expect(isTrusted({ ...part(name), hash: undefined as never })).toBe(false);
    },
  );

  it('holds for the place it was said of, and for no other with the same part', () => {
    const other = part('a', 'one', '/other/nexus.config.json');
    trustParts([part('a')], [part('a')]);
    expect(untrusted([part('a'), other])).toEqual([other]);
    trustParts([other], [part('a'), other]);
    expect(untrusted([part('a'), other])).toEqual([]);
    revokeTrust('/project/nexus.config.json');
    expect(untrusted([part('a'), other])).toEqual([part('a')]);
    expect(trustedBefore([part('a'), other])).toHaveProperty('a');
  });

  it('is kept beside what is trusted now, of what is written still and of what a repository is', () => {
    const claim = part('project: b', 'one');
    trustParts([part('a'), part('gone'), claim], [part('a'), part('gone'), claim]);
    trustParts([part('b')], [part('a'), part('b')]);
    const before = trustedBefore([part('a')]);
    expect(Object.keys(before).sort()).toEqual(['a', 'b', 'project: b']);
    expect(untrusted([part('a'), part('b'), claim, part('gone')])).toEqual([part('gone')]);
  });

  it('takes what is written elsewhere for nothing written here', () => {
    const elsewhere = part('a', 'one', '/other/nexus.config.json');
    trustParts([part('a')], [part('a')]);
    trustParts([part('b')], [part('b'), elsewhere]);
    expect(isTrusted(part('a'))).toBe(false);
  });

  it('is a no to just these parts, which a change, one more or a yes ends', () => {
    const asked = [part('a'), part('b')];
    declineParts(asked);
    expect(isDeclined(asked)).toBe(true);
    expect(isDeclined([part('a')])).toBe(false);
    expect(isDeclined([part('a'), part('b', 'two')])).toBe(false);
    expect(isDeclined([...asked, part('c')])).toBe(false);
    expect(untrusted(asked)).toEqual(asked);
    trustParts([part('a')], asked);
    expect(isDeclined(asked)).toBe(false);
    declineParts([part('b')]);
    expect([isDeclined([part('b')]), isTrusted(part('a'))]).toEqual([true, true]);
  });

  it('is a no to parts of several places only where it was said of each', () => {
    const other = part('b', 'one', '/other/nexus.config.json');
    declineParts([part('a')]);
    expect(isDeclined([part('a'), other])).toBe(false);
    declineParts([part('a'), other]);
    expect(isDeclined([part('a'), other])).toBe(true);
    revokeTrust(other.place);
    expect(isDeclined([part('a'), other])).toBe(false);
    expect(declinedKey([part('a'), other])).not.toBe(declinedKey([part('a')]));
  });

  it('tells by its stamp that it is another', () => {
    const stamps = [recordStamp(part('a').place)];
    trustParts([part('a')], [part('a')]);
    stamps.push(recordStamp(part('a').place));
    expect(recordStamp(part('a').place)).toBe(stamps[1]);
    declineParts([part('b')]);
    stamps.push(recordStamp(part('a').place));
    expect(new Set(stamps).size).toBe(3);
  });

  it('lies in a folder and a file for its user alone, and leaves no draft', () => {
    trustParts([part('a')], [part('a')]);
    const file = recordFile(part('a').place);
    expect(basename(file)).toMatch(/^[0-9a-f]{32}\.json$/);
    expect(dirname(file)).toBe(join(state, 'nexus', 'trust'));
    expect(readdirSync(dirname(file))).toEqual([file.slice(dirname(file).length + 1)]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ place: part('a').place });
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is nothing where the record is another user’s', () => {
    trustParts([part('a')], [part('a')]);
    if (process.getuid?.() === 0) chownSync(recordFile(part('a').place), 1001, 1001);
    else vi.spyOn(process, 'getuid').mockReturnValue(1001);
    expect(untrusted([part('a')])).toEqual([part('a')]);
  });

  it.each(['', '{', 'null', '[]', '"x"', '{}', '{"trusted":null}', '{"trusted":[]}', '{"trusted":"a"}'])(
    'is nothing where the record holds %j',
    (text) => {
      const file = recordFile(part('a').place);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      expect(untrusted([part('a')])).toEqual([part('a')]);
      expect(isDeclined([part('a')])).toBe(false);
    },
  );

  it('is forgotten whole, whether or not anything was said', () => {
    trustParts([part('a')], [part('a')]);
    revokeTrust(part('a').place);
    expect([existsSync(recordFile(part('a').place)), isTrusted(part('a'))]).toEqual([false, false]);
    revokeTrust(part('a').place);
  });

  it.skipIf(process.getuid?.() === 0)('throws where it can’t be kept, so that nobody believes it was', () => {
    mkdirSync(join(state, 'nexus', 'trust'), { recursive: true });
    chmodSync(join(state, 'nexus', 'trust'), 0o500);
    expect(() => trustParts([part('a')], [part('a')])).toThrow(/EACCES/);
  });
});
