import { cutLine } from '../files/cut-line.ts';
import { type Occurrence, occurrencesIn, wordIndexes } from '../syntax/occurrences.ts';
import type { TextLanguage } from './symbols-in.ts';
import { MAX_DEFINITIONS, type Reference, type Usages, type UsagesWanted } from './task.ts';

export function usagesIn(
  text: string,
  { language, loaded }: TextLanguage,
  { name, limit, lineChars }: UsagesWanted,
): Usages {
  const { code, mentions } =
    language && loaded
      ? occurrencesIn(name, text, { language, loaded })
      : { code: [], mentions: wordIndexes(name, text).map(asText) };
  const definitions = code.flatMap(({ declares }) => declares ?? []);
  const references = code.filter(({ declares }) => !declares);
  return {
    of: 'usages',
    definitions: definitions.slice(0, MAX_DEFINITIONS).map(({ symbol, isLocal }) => ({ ...symbol, isLocal })),
    definitionCount: definitions.length,
    references: references.slice(0, limit).map((each) => show(each, text, lineChars)),
    total: references.length,
    mentions: mentions.slice(0, limit).map((each) => show(each, text, lineChars)),
    mentionCount: mentions.length,
  };
}

function asText(index: number): Occurrence {
  return { index, as: 'text', within: null };
}

function show({ index, as, within }: Occurrence, text: string, lineChars: number): Reference {
  const start = text.lastIndexOf('\n', index - 1) + 1;
  const end = text.indexOf('\n', index);
  const line = text.slice(start, end < 0 ? text.length : end).replace(/\r$/, '');
  const number = text.slice(0, index).split('\n').length;
  return {
    line: number,
    column: index - start + 1,
    text: cutLine(line, { line: number, column: index - start }, lineChars).trim(),
    as,
    within,
  };
}
