import { stripVTControlCharacters, styleText } from 'node:util';

export interface RenderOptions {
  readonly columns: number;
  readonly hasColours: boolean;
}

/** Markdown on a terminal, line by line as it streams; what the model wrote can't steer the terminal. */
export interface MarkdownRenderer {
  /** What can be shown now: whole lines. */
  push(text: string): string;
  /** The rest. */
  end(): string;
}

type Style = Parameters<typeof styleText>[0];

export function markdownRenderer({ columns, hasColours }: RenderOptions): MarkdownRenderer {
  let pending = '';
  let isCode = false;
  const paint = (style: Style, text: string) =>
    hasColours ? styleText(style, text, { validateStream: false }) : text;

  function line(raw: string): string {
    const text = stripVTControlCharacters(raw).replace(/[^\P{Cc}\t]/gu, '');
    if (/^\s*(```|~~~)/.test(text)) {
      isCode = !isCode;
      return paint('dim', text);
    }
    if (isCode) return paint('cyan', text);
    const heading = /^#{1,6}\s+(.*)$/.exec(text);
    if (heading)
      return wrap(heading[1] ?? '', '', columns)
        .map((each) => paint('bold', each))
        .join('\n');
    const [, indent = '', rest = text] = /^(\s*(?:[-*+]|\d+[.)])\s+|\s*>\s?|\s+)?(.*)$/.exec(text) ?? [];
    const bullet = indent.replace(/^(\s*)[*+-](\s)/, '$1•$2');
    // In style before it is broken, so that what is strong across a line break is so in both lines.
    const [first = '', ...more] = wrap(inline(rest), bullet, columns);
    const hang = /^\s*>/.test(bullet) ? bullet : ' '.repeat(bullet.length);
    return [bullet + first, ...more.map((each) => hang + each)].join('\n');
  }

  function inline(text: string): string {
    if (!hasColours) return text;
    return text
      .replace(/`([^`]+)`/g, (_, code: string) => paint('cyan', code))
      .replace(/\*\*([^*]+)\*\*/g, (_, strong: string) => paint('bold', strong));
  }

  return {
    push(text) {
      const lines = (pending + text).split('\n');
      pending = lines.pop() ?? '';
      return lines.map((each) => `${line(each)}\n`).join('');
    },
    end() {
      const rest = pending === '' ? '' : `${line(pending)}\n`;
      pending = '';
      isCode = false;
      return rest;
    },
  };
}

/** Columns that a text takes, styles not counted: a character of East Asia or a picture takes two. */
function shownLength(text: string): number {
  const shown = stripVTControlCharacters(text);
  const wide = shown.match(
    /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}]/gu,
  );
  return [...shown].length + (wide?.length ?? 0);
}

/** In lines of at most so many columns, broken between words where there are any. */
function wrap(text: string, before: string, columns: number): string[] {
  const room = Math.max(10, columns - before.length);
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ')) {
    const joined = current === '' ? word : `${current} ${word}`;
    if (shownLength(joined) <= room || current === '') current = joined;
    else {
      lines.push(current);
      current = word;
    }
  }
  return [...lines, current];
}
