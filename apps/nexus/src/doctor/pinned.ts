import { counted } from '@nexus/primitives';
import { pendingChanges } from '../client/pins.ts';
import type { Check } from './check.ts';

/** Tools of other servers that are held back, since they are described otherwise than when they were first seen. */
export const pinned: Check = {
  name: 'Changed tools',
  async run({ config }) {
    const pending = await pendingChanges(config);
    if (pending.length === 0) return { status: 'ok', saw: 'none is held back' };
    const lines = pending.map(({ toolbox, server, tool }) => `${toolbox} / ${server} / ${tool}`);
    return {
      status: 'warning',
      saw: [`${counted(pending.length, 'tool')} held back:`, ...lines].join('\n      '),
      fix: '`nexus pins` shows what changed, `nexus pins accept [toolbox] [server] [tool]` lets it in',
    };
  },
};
