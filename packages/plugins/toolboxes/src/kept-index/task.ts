import { DOCUMENT_FIELDS, type ToolDocument } from '../ranking/document.ts';

/** Documents as they cross to the thread: one text a field is copied in one go, thousands of objects are not. */
export type DocumentTexts = readonly string[];

/** No word has it in it. */
const SEPARATOR = '\0';

export function textsOf(documents: readonly ToolDocument[]): DocumentTexts {
  return DOCUMENT_FIELDS.map((field) =>
    documents.map((document) => document[field].replaceAll(SEPARATOR, ' ')).join(SEPARATOR),
  );
}

export function documentsOf(texts: DocumentTexts): ToolDocument[] {
  const [names = [], places = [], descriptions = [], parameters = []] = texts.map((text) =>
    text.split(SEPARATOR),
  );
  return names.map((name, at) => ({
    name,
    place: places[at] ?? '',
    description: descriptions[at] ?? '',
    parameters: parameters[at] ?? '',
  }));
}
