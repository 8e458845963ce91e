import { expect, it } from 'vitest';
import { hashesOf, mayHave, trigramsIn } from './trigrams.ts';

it('never says of a part of a line that it is not there', () => {
  const names = ['a', 'ab', 'getUserName', '漢字テスト', 'naïve𝒳value', '__init__', 'x'.repeat(300), '$_0'];
  for (const count of [1, 30, 2_000]) {
    const all = Array.from({ length: count }, (_, at) => `${names[at % names.length]}${at % 7}`);
    const trigrams = trigramsIn(all.join('\n'));
    const parts = all.slice(0, 40).flatMap((name) => [...name.slice(0, 30)].map((_, at) => name.slice(at)));
    expect(parts.filter((part) => !mayHave(trigrams, hashesOf(part)))).toEqual([]);
  }
});

it('says of most names that they are not there, however many names there are', () => {
  for (const count of [1, 10, 100, 1_000]) {
    const names = Array.from({ length: count }, (_, at) => `reader${at}of${at * 7_919}`);
    const trigrams = trigramsIn(names.join('\n'));
    const others = Array.from({ length: 200 }, (_, at) => `Window${at}Fabric${at * 31}`);
    const wrong = others.filter((name) => mayHave(trigrams, hashesOf(name)));
    expect(wrong.length, `${count} names`).toBeLessThan(10);
  }
});

it('has nothing to say of less than three characters, nor of what goes over the end of a line', () => {
  const trigrams = trigramsIn('abc\ndef');
  expect(mayHave(trigrams, hashesOf('zz'))).toBe(true);
  expect(hashesOf('c\nd')).toEqual([]);
  expect(mayHave(trigrams, hashesOf('abd'))).toBe(false);
});

it('looks first at what told another file apart, and at all the others still', () => {
  const hashes = hashesOf('resolveorder12step0');
  const before = [...hashes];
  expect(mayHave(trigramsIn('resolveorder34step0'), hashes)).toBe(false);
  const [first = 0] = hashes;
  expect(first).not.toBe(before[0]);
  expect(mayHave(trigramsIn('resolveorder34step0'), [first])).toBe(false);
  expect([...hashes].sort()).toEqual([...before].sort());
  expect(mayHave(trigramsIn('resolveorder12step0'), hashes)).toBe(true);
});
