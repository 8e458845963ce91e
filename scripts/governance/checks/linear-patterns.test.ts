// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code is quoted
import { describe, expect, it } from 'vitest';
import { fixtureSubject } from '../fixture-subject.ts';
import { linearPatterns } from './linear-patterns.ts';

const FILE = 'packages/core/src/a.ts';
const check = (text: string, file = FILE) => linearPatterns.run(fixtureSubject({ files: { [file]: text } }));

describe('linear-patterns', () => {
  it.each([
    String.raw`const HEADING = /^(#{1,6})\s+(\S.*)$/;`,
    String.raw`export const bare = (url: string) => url.replace(/(?<!\/)\/+$/, '');`,
    'const ID = String.raw`"[^"]*"`;\nexport const HEAD = new RegExp(`^\\\\{${ID}`);',
    'export const half = 4 / 2 / 1;',
  ])('finds nothing in %s', (text) => {
    expect(check(text)).toEqual([]);
  });

  it.each([
    [String.raw`const HEADING = /^(#{1,6})\s+(.+?)\s*#*\s*$/;`, 'quadratic'],
    [String.raw`export const bare = (url: string) => url.replace(/\/+$/, '');`, 'quadratic'],
    [String.raw`const WORDS = /^(a+)+$/;`, 'exponential'],
    ["const PART = '(a+)+';\nexport const ALL = new RegExp(`^${PART}$`, 'u');", 'exponential'],
    ['export const found = (text: string) => new RegExp(`^${text}$`);', 'nobody can judge'],
    ['export const found = (text: string) => RegExp(text);', 'nobody can judge'],
  ])('finds in %s that it is %s', (text, what) => {
    expect(check(text)).toMatchObject([
      { where: expect.stringContaining(FILE), what: expect.stringContaining(what) },
    ]);
  });

  it('looks at what runs, and not at tests', () => {
    const bad = String.raw`const WORDS = /^(a+)+$/;`;
    expect(check(bad, 'apps/nexus/src/chat/a.ts')).toHaveLength(1);
    expect(check(bad, 'packages/core/src/a.test.ts')).toMatchObject([{ what: 'looked at no sources' }]);
  });

  it('takes a reason for what is put together only as long as something is', () => {
    const file = 'packages/client/src/auth/challenge.ts';
    expect(check('export const found = (text: string) => new RegExp(text);', file)).toEqual([]);
    expect(check('export const found = /a/;', file)).toMatchObject([
      { what: 'puts no pattern together any more' },
    ]);
  });
});
