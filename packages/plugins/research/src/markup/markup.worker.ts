import type { MarkupTask } from './markup.ts';
import { readAtom } from './read-atom.ts';
import { readHtml } from './read-html.ts';

/** Runs in a thread, since what comes from outside may be made to hold or break whoever reads it. */
export default async function run({ kind, text }: MarkupTask): Promise<unknown> {
  return kind === 'atom' ? readAtom(text) : readHtml(text);
}
