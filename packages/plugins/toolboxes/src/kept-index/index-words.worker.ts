import { indexWords, type WordIndex } from '../ranking/word-index.ts';
import { type DocumentTexts, documentsOf } from './task.ts';

/** Runs in a thread, since the tools of many servers take seconds. */
export default async function run(texts: DocumentTexts): Promise<WordIndex> {
  return indexWords(documentsOf(texts), async () => {});
}
