/**
 * A command line as a shell reads the simple ones: words, quoted or not, a backslash before a character that
 * would mean something. Variables and pipes mean nothing.
 * @throws {Error} for a quote without its end
 */
export function splitCommand(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] as string;
    if (char === '\\' && quote !== "'" && at + 1 < line.length) {
      at += 1;
      word = (word ?? '') + line[at];
    } else if (quote !== undefined) {
      if (char === quote) quote = undefined;
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (quote !== undefined) throw new Error(`a ${quote} in "${line}" has no end`);
  if (word !== undefined) words.push(word);
  return words;
}
