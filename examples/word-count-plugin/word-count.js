import { readFile, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { defineTool, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';

export const wordCount = defineTool({
  name: 'word_count',
  title: 'Count words',
  description:
    'Counts the words of one text file of the project, says how many minutes reading it takes and which words it uses most. Use it to keep a document to its length. Reads the file; does not judge its style, and writes nothing.',
  input: z.object({
    file: z.string().min(1).max(4096).describe('The text file, relative to the project.'),
    top: z.int().min(0).max(50).default(5).describe('How many of the most used words to give.'),
  }),
  output: z.object({
    words: z.int(),
    characters: z.int(),
    readingMinutes: z.number(),
    mostUsed: z.array(z.object({ word: z.string(), count: z.int() })),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ file, top }, { state, signal, roots }) {
    const text = await readText(file, await roots(), signal);
    const words = wordsOf(text, state.segmenter);
    return {
      words: words.length,
      characters: text.length,
      readingMinutes: Math.round((words.length / state.wordsPerMinute) * 10) / 10,
      mostUsed: mostUsed(words, top),
    };
  },
});

/** The caller may read below its roots and nowhere else, also when a symlink leads out. */
async function readText(file, roots, signal) {
  const path = await realpath(resolve(roots[0].path, file)).catch(() => {
    throw new ToolError('NEXUS_NOT_FOUND', `There is no file ${file} in the project.`);
  });
  if (!roots.some((root) => isBelow(root.path, path))) {
    throw new ToolError('NEXUS_OUTSIDE_ROOTS', `${file} lies outside the project; name a file inside.`);
  }
  return readFile(path, { encoding: 'utf8', signal }).catch((cause) => {
    signal.throwIfAborted();
    const message = `${file} can't be read: ${cause.message}. Name a text file.`;
    throw new ToolError('NEXUS_FILE_UNREADABLE', message, { cause });
  });
}

function isBelow(folder, path) {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function wordsOf(text, segmenter) {
  return [...segmenter.segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment.toLowerCase());
}

function mostUsed(words, top) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .map(([word, count]) => ({ word, count }))
    .sort((a, b) => b.count - a.count || a.word.localeCompare(b.word))
    .slice(0, top);
}
