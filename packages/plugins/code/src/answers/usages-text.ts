import { counted, visibleContent, visibleName } from '@nexus/primitives';
import { MAX_LINE_CHARACTERS } from '../files/cut-line.ts';
import { byFile, sayNotes, sayPage, sayUnread } from './say.ts';

interface Usages {
  readonly definition: {
    readonly file: string;
    readonly line: number;
    readonly endLine: number;
    readonly signature: string;
  } | null;
  readonly otherDefinitions: readonly string[];
  readonly references: readonly {
    readonly file: string;
    readonly line: number;
    readonly text: string;
    readonly as: string;
    readonly within: string | null;
  }[];
  readonly total: number;
  readonly mentions: number;
  readonly nextOffset?: number | undefined;
  readonly unread?: Parameters<typeof sayUnread>[0];
  readonly notes?: readonly string[] | undefined;
}

/** Of a line that is shown: a definition and a place have room together, as text and structure, whatever a host shows. */
export function usageLineChars(room: number): number {
  return Math.min(MAX_LINE_CHARACTERS, Math.floor(room / 12));
}

/** What of the text one place takes, about. */
export function usageLength({ text, within }: Usages['references'][number]): number {
  return visibleContent(text).length + visibleContent(within ?? '').length + 40;
}

/** Usages as a model reads them: each file and each line once, with what the name is there. */
export function usagesText(found: Usages): string {
  const { definition, otherDefinitions, references, total, mentions, nextOffset, notes = [] } = found;
  const page = sayPage('place', { shown: references.length, total: total + mentions, nextOffset });
  const kinds = `${counted(total, 'reference')} in code, ${counted(mentions, 'mention')} in comments, strings and other text`;
  return [
    [
      definition === null
        ? 'No definition.'
        : `Defined in ${visibleName(definition.file)}:${linesOf(definition)} ${visibleContent(definition.signature)}`,
      ...(otherDefinitions.length === 0 ? [] : ['Also defined:', ...otherDefinitions.map(visibleContent)]),
      `${page} ${kinds}.`,
      ...sayNotes(notes),
    ].join('\n'),
    ...sayUnread(found.unread),
    ...[...byFile(references)].map(([file, places]) => [file, ...placesText(places)].join('\n')),
  ].join('\n\n');
}

function linesOf({ line, endLine }: { readonly line: number; readonly endLine: number }): string {
  return line === endLine ? `${line}` : `${line}-${endLine}`;
}

type Place = Usages['references'][number];

/** Each line once, in order: what the name is there, where the line does not say it itself. */
function placesText(places: readonly Place[]): string[] {
  const lines = new Map<number, Place[]>();
  for (const place of places) {
    const known = lines.get(place.line);
    if (known) known.push(place);
    else lines.set(place.line, [place]);
  }
  return [...lines]
    .sort(([a], [b]) => a - b)
    .map(([line, found]) => {
      const text = found[0]?.text ?? '';
      const marks = new Set(found.flatMap((place) => markOf(place, found)));
      const mark = marks.size === 0 ? '' : `[${[...marks].join('; ')}] `;
      return visibleContent(`${line} ${mark}${text}`);
    });
}

/** `import { name } from './name'` tells of the import, and of the text in it, by its own words. */
function markOf({ as, within, text }: Place, beside: readonly Place[]): string[] {
  const isPlainImport = /^import\b/.test(text) && beside.some((each) => each.as === 'import');
  if (isPlainImport && (as === 'import' || as === 'string')) return [];
  return [within === null ? as : `${as} in ${within}`];
}
