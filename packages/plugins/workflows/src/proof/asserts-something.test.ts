import { expect, it } from 'vitest';
import { assertsSomething } from './asserts-something.ts';

const FILE = 'test/new.test.ts';
const diff = (lines: string, file = FILE) =>
  `diff --git a/${file} b/${file}\n--- /dev/null\n+++ b/${file}\n@@ -0,0 +1,9 @@\n${lines
    .split('\n')
    .map((line) => `+${line}`)
    .join('\n')}\n`;

it.each([
  "import { sum } from './sum.ts';\nit('adds', () => expect(sum(1, 1)).toBe(2));",
  'assert.equal(sum(1, 1), 2);',
  'assert sum(1, 1) == 2',
  '    self.assertEqual(sum(1, 1), 2)',
  'if got != want { t.Errorf("got %d", got) }',
  'require.Equal(t, 2, sum(1, 1))',
  '    assert_eq!(sum(1, 1), 2);',
  'assertThat(sum(1, 1)).isEqualTo(2);',
  'expect(sum(1, 1)).to eq(2)',
  'sum 1 1 `shouldBe` 2',
  '  (is (= 2 (sum 1 1)))',
  "if (sum(1, 1) !== 2) throw new Error('no');",
  '  [ "$status" -eq 0 ]',
  'EXPECT_EQ(sum(1, 1), 2);',
  't.is(sum(1, 1), 2);',
  'if (sum(1, 1) !== 2) process.exit(1);',
])('a test says what must be so: %s', (lines) => {
  expect(assertsSomething(diff(lines), [FILE])).toBe(true);
});

it.each([
  "import './new.ts';",
  "import { expect } from 'vitest';\nimport {\n  assert,\n} from 'vitest';\nimport { sum } from './sum.ts';",
  "const assert = require('node:assert');\nrequire('./new.js');",
  "import { it } from 'vitest';\nit('should expect(what) it asserts', () => { sum(1, 1); });",
  '// expect(sum(1, 1)).toBe(2)\n# assert sum\n/* assert(x) */\n * assert(x)',
  'from unittest import assertEqual\nimport new_module',
  'use crate::assert_all;',
])('a test says nothing: %s', (lines) => {
  expect(assertsSomething(diff(lines), [FILE])).toBe(false);
});

it('counts what is added to the tests alone', () => {
  const code = diff('assert(x > 0);', 'src/sum.ts');
  expect(assertsSomething(code, [FILE])).toBe(false);
  expect(assertsSomething(code + diff("import './new.ts';"), [FILE])).toBe(false);
  expect(assertsSomething(`${code}--- a/${FILE}\n+++ b/${FILE}\n-assert(x);\n assert(y);\n`, [FILE])).toBe(
    false,
  );
});
