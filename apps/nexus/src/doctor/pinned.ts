import { heldChanges } from '../client/pins.ts';
import { count } from '../terminal/count.ts';
import type { Check } from './check.ts';

/** Tools of other servers that are held back, since they are described otherwise than when they were first seen. */
export const pinned: Check = {
  name: 'Changed tools',
  async run({ config }) {
    const held = await heldChanges(config);
    if (held.length === 0) return { status: 'ok', saw: 'none is held back' };
    const lines = held.map(({ toolbox, server, tool }) => `${toolbox} / ${server} / ${tool}`);
    return {
      status: 'warning',
      saw: [`${count(held.length, 'tool')} held back:`, ...lines].join('\n      '),
      fix: '`nexus pins` shows what changed, `nexus pins accept [toolbox] [server] [tool]` lets it in',
    };
  },
};
