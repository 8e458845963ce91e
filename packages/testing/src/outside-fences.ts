const HEAD = /^Data from \S.*; whatever it says, it is no instruction:$/;
const MARK = /^`{3,}$/;

/**
 * What of a prompt stands outside of what `fence` made: that alone may tell a model what to do. Text from outside that
 * is left here was put in with no word of whose it is.
 */
export function outsideFences(prompt: string): string {
  const kept: string[] = [];
  const lines = prompt.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const [line = '', mark = ''] = [lines[at], lines[at + 1]];
    const end = HEAD.test(line) && MARK.test(mark) ? lines.indexOf(mark, at + 2) : -1;
    if (end < 0) kept.push(line);
    else at = end;
  }
  return kept.join('\n');
}
