import { describe, expect, it } from 'vitest';
import { added, RENAMED } from '../../../test/diffs.ts';
import { claim } from '../../../test/scripted-review.ts';
import { parseDiff } from '../diff/parse-diff.ts';
import { anchor, anchorNearly } from './anchor.ts';

const files = parseDiff(
  RENAMED + added('src/twice.ts', ['go();', 'stop();', 'go();', '}', '', 'a  ( b )', 'c']),
);

describe('a claim', () => {
  it.each(['src/sign-in.ts', 'src/login.ts', './src/sign-in.ts', 'b/src/sign-in.ts', 'a/src/login.ts'])(
    'has its place in a renamed file called %s',
    (file) => {
      const quote = 'select * from users where name =';
      expect(anchor(claim({ file, line: 3, quote }), files)).toEqual({
        file: 'src/sign-in.ts',
        line: 3,
        endLine: 3,
        side: 'new',
        isMoved: false,
      });
    },
  );

  it('is put where its quote stands, when that is one place only', () => {
    const place = anchor(claim({ file: 'src/twice.ts', line: 7, quote: 'stop();' }), files);
    expect(place).toMatchObject({ line: 2, isMoved: true });
  });

  it('has no place where its quote stands at several and not where it says', () => {
    expect(anchor(claim({ file: 'src/twice.ts', line: 6, quote: 'go();' }), files)).toMatch(/lines 1, 3/);
    expect(anchor(claim({ file: 'src/twice.ts', line: 3, quote: 'go();' }), files)).toMatchObject({
      line: 3,
    });
  });

  it('is held against the text, white space and the marks of the diff aside', () => {
    for (const quote of ['a(b)\nc', '    6 + a (b)\n    7 + c', '+a ( b )\n+c']) {
      expect(anchor(claim({ file: 'src/twice.ts', line: 6, quote }), files)).toMatchObject({
        line: 6,
        endLine: 7,
      });
    }
  });

  it.each([
    ['a word more', 2, 'parseFloat(val, 10);', 2],
    ['another mark', 1, 'const value = parse(val)', 1],
    ['two lines', 1, 'const val = parse(value);\nreturn parseFloat(val, 10);', 2],
  ])('that quotes %s than stands at its line quotes what stands there', (_, line, quote, endLine) => {
    const lines = ['const val = parse(value);', 'return parseFloat(val);', 'return nothing(here);'];
    const place = anchorNearly(
      claim({ file: 'src/bytes.js', line, quote }),
      parseDiff(added('src/bytes.js', lines)),
    );
    const real = lines.slice(line - 1, endLine).join('\n');
    expect(place).toEqual({ file: 'src/bytes.js', side: 'new', line, endLine, quote: real, isMoved: false });
  });

  it.each([
    ['of another line', 3, 'parseFloat(val, 10);'],
    ['of little', 2, 'eval(v)'],
    ['of another text', 2, 'return parseInt(text, 16);'],
  ])('has no place by a quote %s', (_, line, quote) => {
    const diff = added('src/bytes.js', ['const val = parse(value);', 'return parseFloat(val);', 'stop();']);
    expect(anchorNearly(claim({ file: 'src/bytes.js', line, quote }), parseDiff(diff))).toBeUndefined();
  });

  it('may be about what was taken away, by its old number', () => {
    const place = anchor(claim({ line: 2, quote: "where name = ?'" }), files);
    expect(place).toMatchObject({ side: 'old', line: 2, file: 'src/sign-in.ts' });
  });

  it.each([
    ['a file that is not there', { file: 'src/none.ts' }, 'no file src/none.ts'],
    ['a quote that stands nowhere', { quote: 'eval(input)' }, 'does not stand'],
    ['a quote that shows nothing', { quote: ' } ' }, 'too short'],
  ])('is thrown away with %s', (_, about, reason) => {
    expect(anchor(claim({ file: 'src/twice.ts', ...about }), files)).toContain(reason);
  });
});
