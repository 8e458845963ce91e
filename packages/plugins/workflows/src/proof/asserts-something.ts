/** Names by which tests of common languages and frameworks say what must be so, as they are called. */
const CALLED =
  /\b(?:assert\w*|expect\w*|refute\w*|verify\w*|fail\w*|panic|XCT\w+|[A-Z]*(?:ASSERT|EXPECT|CHECK|REQUIRE)\w*)\s*[(.!]|\bt\.(?:is|not|ok|equal|same|deepEqual|like|true|false|truthy|falsy|throws|notThrows|fail|snapshot|Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(|\brequire\.[A-Z]\w*\(|\(is\s/;
/** The same of words that need no bracket. */
const SAID =
  /\b(?:assert|refute|raise|throw)\s+\S|\bshould(?:_|Be|Equal|Have|Throw|\.|\s)|\b(?:process\.)?exit[\s(]+[1-9(]/;
/** What a test of a shell is made of. */
const OF_SHELL = /^\s*(?:!\s+)?(?:\[\[?\s|test\s|diff\s|cmp\s|grep\s+-\w*q)/;

/** Haskell's. */
const INFIX = /`should[A-Z]\w*`/;

const IMPORT =
  /^\s*(?:import|from|use|using|#include|require|require_relative|const\b.*=\s*require)\b(?!\s*\.[A-Z])/;
const COMMENT = /^\s*(?:\/\/|#(?!\[)|\/\*|\*|--|;)/;
const TEXTS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

/**
 * Whether the lines that a diff adds to these files say anywhere what must be so. Told by words, whatever the language:
 * one that merely loads a module is red without it and green with it, and shows nothing of what it does.
 */
export function assertsSomething(diff: string, files: readonly string[]): boolean {
  let isWanted = false;
  return diff.split('\n').some((line) => {
    const [, file] = /^\+\+\+ (?:"?b\/)?(.*?)"?\t?$/.exec(line) ?? [];
    if (file !== undefined) {
      isWanted = files.includes(file);
      return false;
    }
    return isWanted && line.startsWith('+') && isAssertion(line.slice(1));
  });
}

/** Whether a line of code says what must be so. */
export function isAssertion(line: string): boolean {
  if (COMMENT.test(line)) return false;
  if (OF_SHELL.test(line) || INFIX.test(line)) return true;
  const code = line.replace(TEXTS, "''");
  return !IMPORT.test(code) && (CALLED.test(code) || SAID.test(code));
}
