/** A table; cells are kept on one line and their bars escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A page that `pnpm governance update` writes: says so, for whoever would edit it by hand. */
export function page(title: string, blocks: readonly string[]): string {
  const notice = '<!-- Generated: `pnpm governance update`. Edit what it is made from. -->';
  return `${[`# ${title}`, notice, ...blocks].join('\n\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('\n', ' ').replaceAll('|', '\\|').trim();
}
