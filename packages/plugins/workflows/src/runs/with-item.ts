import { cutEnd } from '@nexus/primitives';
import type { WorkFile } from './do-work.ts';

/** Of an item, in a step's title. */
const ITEM_CHARS = 60;

/** The work as it is done for one item of its `forEach`, which its title tells from the others. */
export function withItem(work: WorkFile, item: unknown, index: number | undefined): WorkFile {
  if (index === undefined) return work;
  const text =
    typeof item === 'string' || typeof item === 'number' ? String(item).replace(/\s+/g, ' ').trim() : '';
  const name = text === '' ? String(index + 1) : cutEnd(text, ITEM_CHARS);
  return { ...work, title: `${work.title ?? work.id}: ${name}` };
}
