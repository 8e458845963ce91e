import type { PromptDefinition } from '@nexus/plugin-sdk';
import type { Self } from '../self-plugin.ts';
import { pointTo } from './available.ts';
import { completePath } from './complete-path.ts';

export const securityReview: PromptDefinition<Self> = {
  name: 'security-review',
  title: 'Review security',
  description: 'Follow untrusted input through a file or folder and report what an attacker could do.',
  arguments: [
    {
      name: 'path',
      description: 'File or folder, relative to the project root',
      required: true,
      complete: completePath,
    },
  ],
  render({ path }, context) {
    const trace = pointTo(
      context,
      { search_usages: 'Follow each input with search_codebase and search_usages to where it is used.' },
      'Follow each input to where it is used.',
    );
    return [
      `Review the security of ${path}.`,
      'List where input that an attacker controls comes in: arguments, files, network, environment.',
      trace,
      'Look for injection, path traversal, missing authorisation, secrets in code or logs, unsafe deserialisation, races, and denial of service.',
      'For each finding: severity, file and line, the quoted code, an input that shows it, and the fix. Leave out what you could not show.',
    ].join('\n');
  },
};
