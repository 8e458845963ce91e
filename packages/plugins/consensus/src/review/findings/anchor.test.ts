import { describe, expect, it } from 'vitest';
import { added, RENAMED } from '../../../test/diffs.ts';
import { claim } from '../../../test/scripted-review.ts';
import { parseDiff } from '../diff/parse-diff.ts';
import { anchor } from './anchor.ts';

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
