import type { ResourceDefinition } from '@nexus/plugin-sdk';
import type { Self } from '../self-plugin.ts';
import { readFirst } from './read-first.ts';

const FILES = ['CLAUDE.md', 'AGENTS.md', '.github/copilot-instructions.md'];

export const projectContext: ResourceDefinition<Self> = {
  uri: 'nexus://project_context',
  name: 'project_context',
  title: 'Project context',
  description: 'The project’s own instructions to agents: its CLAUDE.md, or else its AGENTS.md.',
  mimeType: 'text/markdown',
  read: ({ host }) => readFirst(host, FILES),
};
