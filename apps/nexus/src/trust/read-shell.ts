import { parse } from 'shell-quote';

/** What a shell's text runs, as far as it is plain. */
interface ShellReading {
  /** Its commands, each in words. */
  readonly lines: readonly (readonly string[])[];
  /** False where the shell makes something of it that is known only when it runs, or writes a file that may run. */
  readonly isPlain: boolean;
}

/** What a shell makes of a line only when it runs it, and what it reads otherwise than the parser here. */
const OPEN =
  /[$`*?[\]{}~!\\#()]|<|\d[ \t]+>|[^\S \t\n]|(?:^|[\s;&|])(?:eval|cd|pushd|popd|alias|function|trap|xargs|find|for|while|until|if|case|set|hash)(?=$|[\s;&|])/;
const JOINS: ReadonlySet<string> = new Set(['&&', '||', ';', '|', '&']);

/** Reads the text of `sh -c`. */
export function readShellText(text: string): ShellReading {
  const lines: string[][] = [];
  let isPlain = !OPEN.test(text);
  // The parser takes a comment for the rest of the text, and a shell for the rest of its line.
  for (const part of new Set([text, ...text.split('\n')])) {
    let words: string[] = [];
    let writes: string | undefined; // by which what comes next is a file
    const end = () => {
      // `>/dev/null 2>&1`: the number is of the next one.
      if (writes !== undefined && words.length === 2 && /^[12]$/.test(words[1] ?? '')) words.pop();
      const isNothing = writes !== undefined && words.length === 1;
      if (writes !== undefined && !(isNothing && isHarmless(writes, words[0]))) isPlain = false;
      if (words.length > 0 && !isNothing) lines.push(words);
      words = [];
    };
    for (const token of parse(part, (variable) => ({ op: variable }))) {
      if (typeof token === 'string') words.push(token);
      else if ('pattern' in token) words.push(token.pattern);
      else {
        end();
        const op = 'op' in token ? token.op : '#';
        writes = /[<>]/.test(op) ? op : undefined;
        if (writes === undefined && !JOINS.has(op)) isPlain = false;
      }
    }
    end();
  }
  return { lines, isPlain };
}

/** `2>&1`, `>/dev/null`: all else is a file, which a later command may run. */
function isHarmless(operator: string, target = ''): boolean {
  return operator === '>&' ? /^[12]$/.test(target) : operator === '>' && target === '/dev/null';
}
