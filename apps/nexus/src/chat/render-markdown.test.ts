import { expect, it } from 'vitest';
import { markdownRenderer } from './render-markdown.ts';

const rendered = (text: string, columns = 80, hasColours = false) => {
  const renderer = markdownRenderer({ columns, hasColours });
  return [...text].map((char) => renderer.push(char)).join('') + renderer.end();
};

it('breaks prose between words at the width, and hangs lists under their text', () => {
  expect(rendered('one two three four\n- five six seven eight nine', 16)).toBe(
    'one two three\nfour\n• five six seven\n  eight nine\n',
  );
});

it('leaves code as it is, however long', () => {
  const code = `\`\`\`ts\nconst a = "${'x'.repeat(60)}";\n\`\`\``;
  expect(rendered(code, 40)).toBe(`${code}\n`);
});

it('shows headings, strong words and code in styles where there are colours', () => {
  expect(rendered('# Title\n**bold** and `code`', 80, true)).toBe(
    '\u001b[1mTitle\u001b[22m\n\u001b[1mbold\u001b[22m and \u001b[36mcode\u001b[39m\n',
  );
  expect(rendered('# Title\n**bold**')).toBe('Title\n**bold**\n');
});

it('marks every line of a quotation', () => {
  expect(rendered('> one two three four', 12)).toBe('> one two\n> three four\n');
});

it('keeps strong words strong across a line break, and counts what is shown', () => {
  expect(rendered('see **one two three four** end', 12, true)).toBe(
    'see \u001b[1mone two\nthree four\u001b[22m\nend\n',
  );
  expect(rendered('日本語 日本語', 12)).toBe('日本語\n日本語\n');
});

it('lets nothing through that steers the terminal', () => {
  expect(rendered('a\u001b[2Jb\u001b]0;x\u0007c\rd\u009b1m')).toBe('abcd\n');
});
