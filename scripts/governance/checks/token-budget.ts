import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { type Check, lookedAtNothing } from '../check.ts';
import { listedTools } from '../listed-tools.ts';

const NAME = 'token-budget';
/** What `tools/list` may cost a model's context; every session of every host pays it. */
const MAX_TOKENS = 18_000;
/** Of which names, descriptions and input schemas: what most models read. */
const MAX_READ_TOKENS = 12_500;
/** Of these, what a new plugin of two tools takes, one a run: kept free, so that one can be added without taking words from others. */
const PLUGIN_TOKENS = 250;

export const tokenBudget: Check = {
  name: NAME,
  proves: `tools/list costs a host at most ${MAX_TOKENS} tokens, and a model at most ${MAX_READ_TOKENS} of these, of which ${PLUGIN_TOKENS} are free for one more plugin`,
  run({ plugins }) {
    // Set where one more plugin was made, to see that it passes.
    const free = process.env.NEXUS_PLUGIN_ADDED ? 0 : PLUGIN_TOKENS;
    const tools = listedTools(plugins).map(({ listing }) => {
      const { name, description, inputSchema } = listing;
      return {
        name,
        tokens: countTokens(JSON.stringify(listing)),
        readTokens: countTokens(JSON.stringify({ name, description, inputSchema })),
      };
    });
    if (tools.length === 0) return lookedAtNothing(NAME, 'tools');
    const over = (part: 'tokens' | 'readTokens', most: number, which: string) => {
      const total = tools.reduce((sum, tool) => sum + tool[part], 0);
      if (total <= most) return [];
      const largest = [...tools].sort((a, b) => b[part] - a[part]).slice(0, 5);
      const named = largest.map((tool) => `${tool.name} ${tool[part]}`).join(', ');
      const what = `${which} of ${tools.length} tools cost ${total} tokens; allowed are ${most}. The largest: ${named}`;
      return [
        {
          check: NAME,
          where: 'tools/list',
          what,
          fix: `shorten descriptions and schemas; ${PLUGIN_TOKENS} tokens are kept for a plugin that is added`,
        },
      ];
    };
    return [
      ...over('tokens', MAX_TOKENS, 'the definitions'),
      ...over('readTokens', MAX_READ_TOKENS - free, 'names, descriptions and input schemas'),
    ];
  },
};
