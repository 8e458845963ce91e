import { describe, expect, it } from 'vitest';
import { FileGroup, groupsOf } from './file-group.ts';
import type { SearchedFile } from './searched-file.ts';
import { hashesOf } from './trigrams.ts';

const fileOf = (path: string, names: readonly string[], fault?: string): SearchedFile => ({
  path,
  symbols: [],
  lowerNames: names.join('\n').toLowerCase(),
  fault,
});
const foundIn = (group: FileGroup, text: string) => group.mayHave(hashesOf(text)).map(({ path }) => path);

describe('a group of files', () => {
  it('never leaves a file out that has the text in one of its names', () => {
    const names = ['a', 'ab', 'getusername', '漢字テスト', 'naïve𝒳value', '__init__', 'x'.repeat(300), '$_0'];
    for (const count of [1, 30, 2_000]) {
      const all = Array.from({ length: count }, (_, at) => `${names[at % names.length]}${at % 7}`);
      const group = new FileGroup([fileOf('none', ['zz']), fileOf('all', all)]);
      const parts = all.slice(0, 40).flatMap((name) => [...name.slice(0, 30)].map((_, at) => name.slice(at)));
      expect(parts.filter((part) => !foundIn(group, part).includes('all'))).toEqual([]);
    }
  });

  it('leaves most others out, however many names they have', () => {
    for (const count of [1, 10, 100, 1_000]) {
      const files = Array.from({ length: 32 }, (_, file) =>
        fileOf(
          `${file}`,
          Array.from({ length: count }, (_, at) => `reader${at}of${at * 7_919 + file}`),
        ),
      );
      const group = new FileGroup(files);
      const others = Array.from({ length: 200 }, (_, at) => `window${at}fabric${at * 31}`);
      const wrong = others.flatMap((text) => foundIn(group, text));
      expect(wrong.length, `${count} names`).toBeLessThan(0.05 * 32 * others.length);
    }
  });

  it('tells the one of 32 apart whose names are nearly those of the others', () => {
    const files = Array.from({ length: 32 }, (_, at) => fileOf(`${at}`, [`resolveOrder${at + 100}Step0`]));
    const group = new FileGroup(files);
    const hashes = hashesOf('resolveorder107step0');
    expect(group.mayHave(hashes).map(({ path }) => path)).toEqual(['7']);
    // Looked at again with what told the last group apart first, the last of its files too.
    expect(new FileGroup([fileOf('else', ['resolveOrder200Step0'])]).mayHave(hashes)).toEqual([]);
    expect([...hashes].sort()).toEqual(hashesOf('resolveorder107step0').sort());
    expect(group.mayHave(hashes).map(({ path }) => path)).toEqual(['7']);
    expect(foundIn(group, 'resolveorder131')).toContain('31');
  });

  it('has nothing to say of less than three characters, nor of what goes over the end of a line', () => {
    const group = new FileGroup([fileOf('a', ['abc', 'def']), fileOf('b', ['abd'])]);
    expect(foundIn(group, 'zz')).toEqual(['a', 'b']);
    expect(hashesOf('c\nd')).toEqual([]);
    expect(foundIn(group, 'abd')).toEqual(['b']);
  });

  it('shows a file that was not read whole to every search', () => {
    const group = new FileGroup([fileOf('a', ['abc']), fileOf('b', [], 'is too large')]);
    expect(foundIn(group, 'nothing')).toEqual(['b']);
  });

  it('is taken again where its files are the same', () => {
    const files = Array.from({ length: 70 }, (_, at) => fileOf(`${at}`, [`name${at}`]));
    const before = [...groupsOf(files, [])];
    expect(before.map((group) => group.files.length)).toEqual([32, 32, 6]);
    const changed = files.with(40, fileOf('40', ['other']));
    const after = [...groupsOf(changed, before)];
    expect(after.map((group, at) => group === before[at])).toEqual([true, false, true]);
    expect(after.flatMap((group) => foundIn(group, 'other'))).toEqual(['40']);
  });
});
