import { expect, it } from 'vitest';
import { added } from '../../../test/diffs.ts';
import { parseDiff } from '../diff/parse-diff.ts';
import { reviewers } from '../reviewers.ts';
import { depth, depthBefore, riskOf } from './risk.ts';

const risk = (path: string, lines = 1) => {
  const [file] = parseDiff(
    added(
      path,
      Array.from({ length: lines }, () => 'x'),
    ),
  );
  return file && riskOf(file);
};

it.each([
  ['src/auth/login.ts', 'high', 'authentication'],
  ['src/sessionToken.ts', 'high', 'authentication'],
  ['lib/crypto.go', 'high', 'cryptography'],
  ['.github/workflows/test.yml', 'high', 'delivery'],
  ['package.json', 'high', 'dependencies'],
  ['db/migrations/0003-users.sql', 'high', 'migrations'],
  ['src/table.ts', 'usual', '1 changed line'],
  ['src/author.ts', 'usual', '1 changed line'],
  ['docs/guide.md', 'low', 'prose'],
  ['docs/auth.md', 'high', 'authentication'],
])('%s is of %s risk: %s', (path, level, why) => {
  expect(risk(path)).toMatchObject({ level, why: expect.stringContaining(why) });
});

it('a large change is of high risk, whatever it is called', () => {
  expect(risk('src/table.ts', 401)?.level).toBe('high');
});

it('more reviewers read what can do more harm', () => {
  expect(depth.usual.length).toBeLessThan(depth.high.length);
});

it('who reads usual code looks for all that its two readers looked for before', () => {
  const prompt = depth.usual.map((name) => reviewers[name].prompt).join('\n');
  const before = depthBefore.usual.map((name) => reviewers[name].prompt.replace('You look for ', ''));
  for (const looksFor of before) expect(prompt.toLowerCase()).toContain(looksFor.toLowerCase());
});
