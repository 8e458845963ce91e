/** A section of docs/performance.md that a command of its own writes. */
export interface Section {
  /** Its line, with the marks. */
  readonly heading: string;
  readonly text: string;
}

/** As a page has it, up to the next section; undefined where it has none. */
export function sectionOf(page: string, heading: string): Section | undefined {
  const [, after] = `\n${page}`.split(`\n${heading}\n`);
  if (after === undefined) return undefined;
  return { heading, text: (after.split(/^## /m)[0] ?? '').trim() };
}

/** The page with this section in the place of the one that it has, or at its end. */
export function withSection(page: string, { heading, text }: Section): string {
  const whole = `${heading}\n\n${text.trim()}\n`;
  const at = page.startsWith(`${heading}\n`) ? 0 : page.indexOf(`\n${heading}\n`) + 1;
  if (at === 0 && !page.startsWith(`${heading}\n`)) return `${page.trimEnd()}\n\n${whole}`;
  const next = page.indexOf('\n## ', at);
  return next === -1 ? page.slice(0, at) + whole : `${page.slice(0, at)}${whole}${page.slice(next)}`;
}
