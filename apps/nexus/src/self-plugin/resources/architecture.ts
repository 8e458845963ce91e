import type { ResourceDefinition } from '@nexus/plugin-sdk';
import type { Self } from '../self-plugin.ts';
import { readFirst } from './read-first.ts';

const FILES = ['ARCHITECTURE.md', 'docs/architecture.md', 'docs/ARCHITECTURE.md', 'doc/architecture.md'];

export const architecture: ResourceDefinition<Self> = {
  uri: 'nexus://architecture',
  name: 'architecture',
  title: 'Architecture',
  description: 'How the project is built: its ARCHITECTURE.md, at the root or in docs/.',
  mimeType: 'text/markdown',
  read: (context) => readFirst(context, FILES),
};
