import type { PromptDefinition } from '@nexus/plugin-sdk';
import type { Self } from '../self-plugin.ts';
import { pointTo } from './available.ts';
import { completePath } from './complete-path.ts';

/** `https://github.com/<owner>/<repo>/pull/<number>`, on any host, with whatever follows. */
const PULL_REQUEST = /^https:\/\/[^/\s]+\/([\w.-]+\/[\w.-]+)\/pull\/(\d+)(?:[/?#]|$)/;

export const codeReview: PromptDefinition<Self> = {
  name: 'code-review',
  title: 'Review code',
  description: 'Review a file, folder or pull request for defects, with evidence for every finding.',
  arguments: [
    {
      name: 'path',
      description: 'File or folder, relative to the project root; or the URL of a pull request',
      required: true,
      complete: completePath,
    },
    { name: 'focus', description: 'What to look for most, such as error handling', required: false },
  ],
  render({ path = '', focus }, context) {
    const pull = PULL_REQUEST.exec(path);
    const read = pointTo(
      context,
      { extract_symbols: 'Get the outline with extract_symbols and find callers with search_usages.' },
      'Read the code and its callers.',
    );
    const pulled = pointTo(
      context,
      {
        pr_review: `Call pr_review with repo=${pull?.[1]} and prNumber=${pull?.[2]} first; it reads the diff.`,
      },
      'Get its diff and the code around each change.',
    );
    return [
      `Review ${path}${focus ? `, above all for ${focus}` : ''}.`,
      ...(pull ? [pulled] : []),
      read,
      'Report defects only, the worst first. For each: file and line, the quoted code, what goes wrong with which input, and the smallest fix.',
      'Check each claim against the code again before you report it, and say so if there is nothing to report.',
    ].join('\n');
  },
};
