import type { ResourceDefinition } from '@nexus/plugin-sdk';
import { INSTRUCTION_FILES } from '../../project/brief/instructions.ts';
import type { Self } from '../self-plugin.ts';
import { readFirst } from './read-first.ts';

export const projectContext: ResourceDefinition<Self> = {
  uri: 'nexus://project_context',
  name: 'project_context',
  title: 'Project context',
  description: 'The project’s own instructions to agents: its CLAUDE.md, or else its AGENTS.md.',
  mimeType: 'text/markdown',
  read: (context) => readFirst(context, INSTRUCTION_FILES),
};
