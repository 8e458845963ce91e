import { visibleName } from '@nexus/primitives';
import { sayNotes, sayPage } from './say.ts';

interface Files {
  readonly files: readonly string[];
  readonly total: number;
  readonly nextOffset?: number | undefined;
  readonly notes?: readonly string[] | undefined;
}

/** Paths as a model reads them: each folder once, with the names in it; one that would read as several alone, as JSON. */
export function filesText({ files, total, nextOffset, notes = [] }: Files): string {
  const page = total === 0 ? 'No file.' : sayPage('file', { shown: files.length, total, nextOffset });
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const shown = visibleName(file);
    if (shown !== file) {
      folders.set(shown, []);
      continue;
    }
    const end = file.lastIndexOf('/') + 1;
    const folder = file.slice(0, end) || './';
    const names = folders.get(folder);
    if (names) names.push(file.slice(end));
    else folders.set(folder, [file.slice(end)]);
  }
  return [
    page,
    ...sayNotes(notes),
    ...[...folders].map(([folder, names]) =>
      [folder, ...(names.length === 0 ? [] : [names.join('  ')])].join(' '),
    ),
  ].join('\n');
}
