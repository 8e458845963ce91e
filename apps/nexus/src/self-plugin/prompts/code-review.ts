import type { PromptDefinition } from '@nexus/plugin-sdk';
import type { Self } from '../self-plugin.ts';
import { pointTo } from './available.ts';
import { completePath } from './complete-path.ts';

export const codeReview: PromptDefinition<Self> = {
  name: 'code-review',
  title: 'Review code',
  description: 'Review a file or folder for defects, with evidence for every finding.',
  arguments: [
    {
      name: 'path',
      description: 'File or folder, relative to the project root',
      required: true,
      complete: completePath,
    },
    { name: 'focus', description: 'What to look for most, such as error handling', required: false },
  ],
  render({ path, focus }, context) {
    const read = pointTo(
      context,
      { extract_symbols: 'Get the outline with extract_symbols and find callers with search_usages.' },
      'Read the code and its callers.',
    );
    return [
      `Review ${path}${focus ? `, above all for ${focus}` : ''}.`,
      read,
      'Report defects only, the worst first. For each: file and line, the quoted code, what goes wrong with which input, and the smallest fix.',
      'Check each claim against the code again before you report it, and say so if there is nothing to report.',
    ].join('\n');
  },
};
