import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { type Check, lookedAtNothing } from '../check.ts';
import { listedTools } from '../listed-tools.ts';

const NAME = 'token-budget';
/** What `tools/list` may cost a model's context; every session of every host pays it. */
const MAX_TOKENS = 14_000;

export const tokenBudget: Check = {
  name: NAME,
  proves: `tools/list costs a model at most ${MAX_TOKENS} tokens`,
  run({ plugins }) {
    const tools = listedTools(plugins).map(({ listing }) => ({
      name: listing.name,
      tokens: countTokens(JSON.stringify(listing)),
    }));
    if (tools.length === 0) return lookedAtNothing(NAME, 'tools');
    const total = tools.reduce((sum, { tokens }) => sum + tokens, 0);
    if (total <= MAX_TOKENS) return [];
    const largest = tools.sort((a, b) => b.tokens - a.tokens).slice(0, 5);
    const named = largest.map(({ name, tokens }) => `${name} ${tokens}`).join(', ');
    const what = `${tools.length} tools cost ${total} tokens; allowed are ${MAX_TOKENS}. The largest: ${named}`;
    return [{ check: NAME, where: 'tools/list', what, fix: 'shorten descriptions and schemas' }];
  },
};
