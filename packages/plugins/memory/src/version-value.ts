import { type ResourceTemplateDefinition, ToolError } from '@nexus/plugin-sdk';
import type { MemoryState } from './index.ts';

export const versionUri = (entry: number, version: number) => `nexus://memory/${entry}/${version}`;

export const versionValue = {
  uriTemplate: 'nexus://memory/{entry}/{version}',
  name: 'memory-version',
  title: 'What an entry was',
  description: 'An earlier value of an entry, as memory_query names it where it is long.',
  mimeType: 'text/plain',
  async read({ entry = '', version = '' }, { state }) {
    const memory =
      /^\d{1,15}$/.test(entry) && /^\d{1,9}$/.test(version) ? await state.openToRead() : undefined;
    const found = await memory?.db
      .selectFrom('memory_versions')
      .select('value')
      .where('entry_id', '=', Number(entry))
      .where('version', '=', Number(version))
      .executeTakeFirst();
    if (found) return found.value;
    throw new ToolError(
      'NEXUS_NOT_FOUND',
      `There is no ${version} of entry ${entry}: it was forgotten, or never was.`,
    );
  },
} satisfies ResourceTemplateDefinition<MemoryState>;
