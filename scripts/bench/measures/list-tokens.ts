import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { Measure } from '../figure.ts';
import { someToolboxes } from '../some-toolboxes.ts';
import { makeScratch } from '../subjects.ts';

/** What a host's model pays for the list, in the full profile. */
const MAX_TOKENS = 18_000;
/** The same in the lean profile, with what it is told of the toolboxes. */
const MAX_LEAN_TOKENS = 1_500;

export const listTokens: Measure = {
  name: 'list-tokens',
  method:
    'The answer to tools/list as JSON, counted by the o200k tokenizer. In the lean profile with the server’s instructions, which name the toolboxes: 64 of them, made up, with descriptions of about ten words that find no room there.',
  async run() {
    const full = await costOf();
    const toolboxes = someToolboxes();
    const lean = await costOf({ profile: 'lean', toolboxes });
    return [
      {
        what: `tools/list, ${full.tools} tools`,
        unit: 'tokens',
        nexus: full.list,
        target: { of: 'value', atMost: MAX_TOKENS },
      },
      {
        what: `Lean, ${Object.keys(toolboxes).length} toolboxes: instructions and tools/list`,
        unit: 'tokens',
        nexus: lean.instructions + lean.list,
        target: { of: 'value', atMost: MAX_LEAN_TOKENS },
      },
    ];
  },
};

/** In tokens, what a host's model reads before its first word. */
async function costOf(config?: object) {
  // Tools that need a model are listed where there is one; this one nobody asks.
  const models = { providers: { none: { baseUrl: 'http://127.0.0.1:9/v1', models: ['none'] } } };
  using scratch = makeScratch({ models, ...config });
  const nexus = await scratch.startNexus();
  const { tools } = await nexus.request('tools/list');
  await nexus.stop();
  if (nexus.instructions.includes('is left out'))
    throw new Error(`a fault of the config is told, too: ${nexus.instructions}`);
  const own = tools as unknown[];
  return {
    tools: own.length,
    instructions: countTokens(nexus.instructions),
    list: countTokens(JSON.stringify(own)),
  };
}
