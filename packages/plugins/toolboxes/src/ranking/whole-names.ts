import type { CataloguedTool } from '@nexus/plugin-sdk';
import { wordsOf } from './words.ts';

/** @returns by number, the tools whose names are just these words, in whatever order */
export function wholeNames(tools: readonly CataloguedTool[]): (query: string) => readonly number[] {
  const byWords = new Map<string, number[]>();
  for (const [id, { tool }] of tools.entries()) {
    const key = keyOf(tool);
    const known = byWords.get(key);
    if (known) known.push(id);
    else byWords.set(key, [id]);
  }
  byWords.delete(''); // of names without a word
  return (query) => byWords.get(keyOf(query)) ?? [];
}

function keyOf(text: string): string {
  return [...new Set(wordsOf(text))].sort().join(' ');
}
