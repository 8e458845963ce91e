import { byFile, counted, sayPage, sayUnread } from './say.ts';

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

/** What of the text one place takes, about. */
export function usageLength({ text, within }: Usages['references'][number]): number {
  return text.length + (within?.length ?? 0) + 40;
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
        : `Defined in ${definition.file}, lines ${definition.line}-${definition.endLine}: ${definition.signature}`,
      ...(otherDefinitions.length === 0 ? [] : ['Also defined:', ...otherDefinitions]),
      `${page} ${kinds}.`,
      ...notes,
    ].join('\n'),
    ...sayUnread(found.unread),
    ...[...byFile(references)].map(([file, places]) => {
      const lines = new Map<number, { text: string; marks: Set<string> }>();
      for (const { line, text, as, within } of places) {
        const mark = within === null ? as : `${as} in ${within}`;
        const known = lines.get(line);
        if (known) known.marks.add(mark);
        else lines.set(line, { text, marks: new Set([mark]) });
      }
      return [
        file,
        ...[...lines]
          .sort(([a], [b]) => a - b)
          .map(([line, { text, marks }]) => `${line} [${[...marks].join('; ')}] ${text}`),
      ].join('\n');
    }),
  ].join('\n\n');
}
