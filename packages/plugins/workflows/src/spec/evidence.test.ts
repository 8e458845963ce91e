import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { claimsIn, verifyClaims } from './evidence.ts';
import { countedVerdict } from './judge.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-evidence-')));
const root = join(base, 'project');
const own = join(root, '.data');
mkdirSync(own, { recursive: true });
writeFileSync(join(root, 'a.ts'), 'first line\nthe second  line\nthird line\nthe second line\n');
writeFileSync(join(own, 'token'), 'secret token');
writeFileSync(join(base, 'outside.ts'), 'outside text');
symlinkSync(join(base, 'outside.ts'), join(root, 'link.ts'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('claims of evidence', () => {
  it('are read from the last section of that name, in the ways that models write them', () => {
    const output = [
      '## Evidence',
      '- old.ts:1: not this',
      'Text.',
      '## Evidence',
      '- a.ts:2: the second line',
      '* `src/b.ts:10-12` — `const x = 1;`',
      '- a.ts:3 "third line"',
      '- no place here',
      'none',
    ].join('\n');
    expect(claimsIn(output)).toEqual([
      { file: 'a.ts', line: 2, quote: 'the second line' },
      { file: 'src/b.ts', line: 10, quote: 'const x = 1;' },
      { file: 'a.ts', line: 3, quote: 'third line' },
    ]);
    expect(claimsIn('a.ts:2: the second line')).toEqual([]);
  });

  it.each([
    ['at its line', { file: 'a.ts', line: 1, quote: 'first line' }, { isVerified: true, line: 1 }],
    [
      'with other white space',
      { file: 'a.ts', line: 2, quote: 'the second line' },
      { isVerified: true, line: 2 },
    ],
    ['nearest to where it is said to be', { file: 'a.ts', line: 9, quote: 'the second line' }, { line: 4 }],
    ['not there', { file: 'a.ts', line: 1, quote: 'fourth line' }, { isVerified: false }],
    ['too short to say anything', { file: 'a.ts', line: 1, quote: 'f' }, { isVerified: false }],
    ['in no file', { file: 'b.ts', line: 1, quote: 'first line' }, { fault: 'there is no such file' }],
    [
      'outside',
      { file: '../outside.ts', line: 1, quote: 'outside text' },
      { fault: 'it lies outside the project' },
    ],
    [
      'over a link',
      { file: 'link.ts', line: 1, quote: 'outside text' },
      { fault: 'it lies outside the project' },
    ],
    ['in Nexus’s own data', { file: '.data/token', line: 1, quote: 'secret token' }, { isVerified: false }],
    ['in a folder', { file: '.', line: 1, quote: 'first line' }, { isVerified: false }],
  ])('are looked up: %s', async (_, claim, found) => {
    const [evidence] = await verifyClaims([claim], { root, privatePaths: [own] });
    expect(evidence).toMatchObject(found);
  });
});

describe('a verdict', () => {
  const evidence = [
    { file: 'a.ts', line: 1, quote: 'first line', isVerified: true },
    { file: 'a.ts', line: 1, quote: 'nothing', isVerified: false },
  ];
  const output = 'The sum of all numbers is right.';
  const given = (restsOn: string[]) =>
    countedVerdict({ isMet: true, reason: 'So.', restsOn }, { output, evidence });

  it.each([
    [['E1'], ['E1']],
    [['E2', 'E1', 'E9'], ['E1']],
    [['sum of  all numbers'], ['sum of  all numbers']],
  ])('rests on %j as far as that is there: %j', (named, counted) => {
    expect(given(named)).toMatchObject({ isMet: true, restsOn: counted });
  });

  it.each([[[]], [['E2']], [['E3']], [['is right']], [['words that are not there']]])(
    'that rests on %j is not met',
    (named) => {
      expect(given(named)).toMatchObject({ isMet: false, restsOn: [] });
    },
  );

  it('against needs nothing to rest on', () => {
    const verdict = { isMet: false, reason: 'No.', restsOn: [] };
    expect(countedVerdict(verdict, { output, evidence })).toEqual(verdict);
  });
});
