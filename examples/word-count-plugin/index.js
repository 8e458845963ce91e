import { definePlugin } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { wordCount } from './word-count.js';

export default definePlugin({
  name: 'word-count',
  options: z.object({
    wordsPerMinute: z.int().min(50).max(1000).default(220).describe('How fast your readers read.'),
    locale: z
      .string()
      .max(35)
      .default('en')
      .describe('The language of the texts, as BCP 47 tags are written.'),
  }),
  tools: [wordCount],
  start: async ({ wordsPerMinute, locale }) => ({
    wordsPerMinute,
    segmenter: new Intl.Segmenter(locale, { granularity: 'word' }),
  }),
  stop: async () => {},
});
