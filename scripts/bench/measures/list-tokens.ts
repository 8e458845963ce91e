import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { Measure } from '../figure.ts';
import { makeScratch } from '../subjects.ts';

/** What a host's model pays for the list, in the full profile. */
const MAX_TOKENS = 14_000;

export const listTokens: Measure = {
  name: 'list-tokens',
  method: 'The answer to tools/list as JSON, counted by the o200k tokenizer.',
  async run() {
    using scratch = makeScratch();
    const nexus = await scratch.startNexus();
    const { tools } = await nexus.request('tools/list');
    await nexus.stop();
    const own = tools as unknown[];
    return [
      {
        what: `tools/list, ${own.length} tools`,
        unit: 'tokens',
        nexus: countTokens(JSON.stringify(own)),
        target: { of: 'value', atMost: MAX_TOKENS },
      },
    ];
  },
};
