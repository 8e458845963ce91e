import fs, { type Stats } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isOwn, ownershipFault } from './ownership.ts';

interface Entry {
  readonly uid?: number;
  readonly gid?: number;
  readonly mode?: number;
  readonly isFolder?: boolean;
  /** Where a link leads. */
  readonly to?: string;
}

const files = { all: new Map<string, Entry>(), tables: new Map<string, string>() };
const entry = (path: string): Entry => {
  const found = files.all.get(path);
  if (!found) throw new Error(`no ${path}`);
  return found;
};
const stats = (path: string): Stats => {
  const { uid = 1000, gid = 1000, mode = 0o600, isFolder = false, to } = entry(path);
  return { uid, gid, mode, isDirectory: () => isFolder, isSymbolicLink: () => to !== undefined } as Stats;
};
const system = {
  lstatSync: (path: string) => stats(path),
  statSync: (path: string) => stats(entry(path).to ?? path),
  realpathSync: (path: string) => entry(path).to ?? path,
  readFileSync(path: string, encoding?: string) {
    const text = files.tables.get(path);
    if (text === undefined) throw new Error(`no ${path}`);
    return encoding === 'utf8' ? text : Buffer.from(text);
  },
};

const ids = { uid: 1000, gid: 1000 };
beforeEach(() => {
  for (const [name, act] of Object.entries(system))
    vi.spyOn(fs, name as 'lstatSync').mockImplementation(act as never);
  // What others import by name is what stands there now.
  syncBuiltinESMExports();
  vi.spyOn(process, 'getuid').mockImplementation(() => ids.uid);
  vi.spyOn(process, 'getgid').mockImplementation(() => ids.gid);
  files.tables.set('/etc/passwd', 'root:x:0:0::/root:/bin/sh\nme:x:1000:1000::/home/me:/bin/sh\n');
  files.tables.set('/etc/group', 'root:x:0:\nme:x:1000:\n');
  has({});
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  files.all.clear();
  files.tables.clear();
});

/** A config file in its folder, as they are said to be. */
function has(config: Entry, folder: Entry = {}): void {
  files.all.set('/p', { isFolder: true, mode: 0o755, ...folder });
  files.all.set('/p/c.json', config);
}

const fault = () => ownershipFault('/p/c.json');

describe('a file that is to be its user’s word', () => {
  it('is so where it and its folder are the user’s, or root’s, and nobody else may write', () => {
    expect(fault()).toBeUndefined();
    has({ uid: 0, mode: 0o644 }, { uid: 0, mode: 0o755 });
    expect(fault()).toBeUndefined();
    has({ mode: 0o666 & ~0o022 });
    expect(fault()).toBeUndefined();
    has({ gid: 50, mode: 0o640 }, { gid: 50, mode: 0o750 });
    expect(fault()).toBeUndefined();
  });

  it.each([
    ['another user’s', { uid: 1001 }, {}, '/p/c.json belongs to another user (1001)'],
    ['in another user’s folder', {}, { uid: 1001 }, '/p belongs to another user (1001)'],
    ['one that every user may write', { mode: 0o602 }, {}, 'every user may write /p/c.json'],
    ['in a folder that every user may write', {}, { mode: 0o757 }, 'every user may write /p'],
    [
      'one that another group may write',
      { gid: 50, mode: 0o660 },
      {},
      'the users of group 50 may write /p/c.json',
    ],
    [
      'in a folder that another group may write',
      {},
      { gid: 50, mode: 0o770 },
      'the users of group 50 may write /p',
    ],
    ['one that is sticky and no folder', { mode: 0o1602 }, {}, 'every user may write /p/c.json'],
  ])('is none where it is %s', (_, config, folder, said) => {
    has(config, folder);
    expect(fault()).toBe(said);
  });

  it('is so in a folder where nobody replaces what is not their own', () => {
    has({}, { mode: 0o1777 });
    expect(fault()).toBeUndefined();
    has({ uid: 1001 }, { mode: 0o1777 });
    expect(fault()).toContain('belongs to another user');
  });

  it.each([
    [
      'where it leads to',
      { to: '/q/real.json' },
      {},
      { uid: 1001 },
      '/q/real.json belongs to another user (1001)',
    ],
    [
      'in the folder where it leads to',
      { to: '/q/real.json' },
      { uid: 1001 },
      {},
      '/q belongs to another user (1001)',
    ],
    [
      'in the link itself',
      { to: '/q/real.json', uid: 1001 },
      {},
      {},
      '/p/c.json belongs to another user (1001)',
    ],
    [
      'in itself, which every user may write',
      { to: '/q/real.json' },
      {},
      { mode: 0o602 },
      'every user may write /q/real.json',
    ],
    [
      'in what every user may write behind it',
      { to: '/q/real.json' },
      { mode: 0o777 },
      {},
      'every user may write /q',
    ],
  ])('is none through a link that has a fault %s', (_, link, folder, real, said) => {
    has(link);
    files.all.set('/q', { isFolder: true, mode: 0o755, ...folder });
    files.all.set('/q/real.json', real);
    expect(fault()).toBe(said);
  });

  it('is so through a link, whose own mode says nothing', () => {
    has({ to: '/q/real.json', mode: 0o777 });
    files.all.set('/q', { isFolder: true, mode: 0o755 });
    files.all.set('/q/real.json', {});
    expect(fault()).toBeUndefined();
  });

  describe('that a group may write', () => {
    beforeEach(() => has({ mode: 0o660 }));

    it('is so where nobody but the user is in that group', () => {
      expect(fault()).toBeUndefined();
      for (const line of ['me:x:1000:me\n', 'me:x:1000\n']) {
        files.tables.set('/etc/group', line);
        expect(fault()).toBeUndefined();
      }
      has({ gid: 0, mode: 0o660 });
      expect(fault()).toBeUndefined();
    });

    it.each([
      ['another is a member', '/etc/group', 'me:x:1000:me,eve\n'],
      ['only another is a member', '/etc/group', 'me:x:1000:eve\n'],
      ['the group is not known', '/etc/group', 'root:x:0:\n'],
      ['another has it as the first', '/etc/passwd', 'me:x:1000:1000::\neve:x:1001:1000::\n'],
      ['the user is not known', '/etc/passwd', 'root:x:0:0::\n'],
    ])('is none where %s', (_, file, text) => {
      files.tables.set(file, text);
      expect(fault()).toBe('the users of group 1000 may write /p/c.json');
    });

    it('is none where that is not the user’s own group, whoever is in it', () => {
      files.tables.set('/etc/group', 'me:x:1000:\ndev:x:50:me\n');
      has({ gid: 50, mode: 0o660 });
      expect(fault()).toBe('the users of group 50 may write /p/c.json');
    });

    it.each(['/etc/passwd', '/etc/group'])('is none where %s can’t be read', (file) => {
      files.tables.delete(file);
      expect(fault()).toBe('the users of group 1000 may write /p/c.json');
    });
  });

  it('is so where the system has no users', () => {
    const { getuid } = process;
    files.all.clear();
    try {
      Object.assign(process, { getuid: undefined });
      expect([ownershipFault('/p/c.json'), isOwn('/p/c.json')]).toEqual([undefined, true]);
    } finally {
      Object.assign(process, { getuid });
    }
  });

  it('tells own from another’s by the link and not by what it leads to', () => {
    has({ to: '/q/real.json', uid: 1001 });
    expect(isOwn('/p/c.json')).toBe(false);
    has({ uid: 0 });
    expect(isOwn('/p/c.json')).toBe(true);
  });
});
