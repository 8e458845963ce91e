import { lostSilently } from './lost-silently.ts';
import type { HostSession } from './session.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Result = any;

/** A search shows no more of a line of a file, which may be a part of JSON. */
const LINE_CHARS = 400;

/** A line of ours before what was cut. */
const NOTE = /^\[… [^\n]* …\]\n?/;

/**
 * What is wrong with how much an answer shows: JSON that can't be read, more than the limit, less than the whole without
 * a word. The whole of what was cut is read where the answer says.
 */
export async function unsoundIn(
  session: HostSession,
  result: Result,
  { maxChars }: { readonly maxChars: number },
): Promise<string[]> {
  const faults: string[] = [];
  const texts: string[] = result.content.flatMap((block: Result) =>
    block.type === 'text' ? [block.text] : [],
  );
  for (const text of texts) {
    const body = text.replace(NOTE, '');
    if (/^\s*(\{"|\[[{"[\d])/.test(body) && !isJson(body)) faults.push(`no JSON: ${body.slice(0, 80)}`);
    faults.push(...brokenJsonIn(text));
  }
  for (const text of textsOf(result.structuredContent))
    if (text.length > LINE_CHARS) faults.push(...brokenJsonIn(text));
  const notes = texts.filter((text) => NOTE.test(text) || text.startsWith('[…'));
  const told = [...notes, result.structuredContent?.leftOut ?? ''].join('\n');
  const structure = JSON.stringify(result.structuredContent) ?? '';
  const length = texts.reduce((sum, text) => sum + text.length, structure.length);
  if (length > maxChars) faults.push(`${length} characters`);
  const wholes: string[] = [];
  for (const uri of result._meta?.['nexus/cut']?.whole ?? []) {
    const read = await session.ask('resources/read', { uri });
    wholes.push(read.result.contents[0].text);
  }
  if (wholes.length === 0) return faults;
  const structures = wholes.filter(isJson).map((text) => JSON.parse(text));
  const shown = result.structuredContent;
  const isShown = (whole: unknown) => lostSilently(whole, shown, told).length === 0;
  // Where no whole is a structure, the text alone was cut.
  if (
    shown !== undefined &&
    structures.length > 0 &&
    !structures.some(isShown) &&
    !texts.some((text) => text === JSON.stringify(shown))
  ) {
    const [lost] = structures.map((whole) => lostSilently(whole, shown, told));
    faults.push(`silently cut: ${lost?.slice(0, 3).join('; ')}`);
  }
  return faults;
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** JSON that begins on a line, or after a label or a fence on it, and ends on none. */
function brokenJsonIn(text: string): string[] {
  const lines = text.split('\n');
  const faults: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [, begun] = /^(?:[\w .-]{1,60}: )?(\{"|\[(?:\{"|"|\[))/.exec(lines[at] ?? '') ?? [];
    if (begun === undefined) continue;
    const from = (lines[at] ?? '').indexOf(begun);
    let said = (lines[at] ?? '').slice(from);
    let end = at;
    while (!isJson(said) && end + 1 < lines.length && end - at < MOST_LINES) {
      end += 1;
      said += `\n${lines[end]}`;
    }
    if (isJson(said)) at = end;
    else faults.push(`broken JSON on line ${at + 1}: ${(lines[at] ?? '').slice(0, 80)}`);
  }
  return faults;
}

/** JSON of more lines is none of these answers'. */
const MOST_LINES = 2_000;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
