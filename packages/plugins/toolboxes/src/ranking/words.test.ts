import fc from 'fast-check';
import { expect, it } from 'vitest';
import { termsOf, wordsOf } from './words.ts';

it.each([
  ['create_pull_request', ['create', 'pull', 'request']],
  ['createPullRequest', ['create', 'pull', 'request']],
  ['HTTPServerList', ['http', 'server', 'list']],
  ['mail_createBoxV1', ['mail', 'create', 'box', 'v1']],
  ['API-get-users', ['api', 'get', 'user']],
  ['list the issues of my repositories', ['list', 'issue', 'repository']],
  [
    'boxes classes branches status address analysis',
    ['box', 'class', 'branch', 'status', 'address', 'analysis'],
  ],
  ['Überprüfe die Größe', ['überprüfe', 'die', 'größe']],
  ['🚀 --- ', []],
  ['', []],
])('%s', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

it('takes any text, and finds no capital, blank or mark in a word', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      for (const word of wordsOf(text)) expect(word).toMatch(/^[\p{L}\p{N}]+$/u);
    }),
  );
});

it('has a word with a seam whole beside its parts', () => {
  expect(termsOf('GitHub createIssues v1Beta ')).toEqual([
    ...['git', 'hub', 'create', 'issue', 'v1', 'beta'],
    ...['github', 'createissue', 'v1beta'],
  ]);
  expect(termsOf('git_hub GITHUB github')).toEqual(['git', 'hub', 'github', 'github']);
});
