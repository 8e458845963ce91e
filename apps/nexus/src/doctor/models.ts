import { withModels } from '../models/with-models.ts';
import type { Check } from './check.ts';

/** Whether a language model is there; without one the tools that need it answer `unavailable`. */
export const models: Check = {
  name: 'Language models',
  async run(source) {
    const providers = await withModels(source.config, (all) => all.list());
    const found = providers.filter(({ isFound }) => isFound);
    if (found.length > 0)
      return { status: 'ok', saw: found.map(({ name, reason }) => `${name}: ${reason}`).join('\n      ') };
    return {
      status: 'warning',
      saw: 'none is found. Tools that need one can use the model of a host that offers it (sampling); elsewhere they answer that there is none',
      fix: 'set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or install and log in claude, codex, gemini or opencode; `nexus models` says what was looked for',
    };
  },
};
