import { type ScriptedAnswer, scriptedModels, testPlugin } from '@nexus/testing';
import { added } from '../test/diffs.ts';
import consensus from './index.ts';

const said = { reasoning: 'It holds.', decision: 'approve', confidence: 0.9 };

testPlugin(consensus, {
  models: scriptedModels(({ system = '' }): ScriptedAnswer => {
    if (system.includes('by several axes'))
      return { object: { verdicts: { axis_1: said, axis_2: said, axis_3: said } } };
    return { object: system.includes('reviewer of a change') ? { findings: [] } : said };
  }),
  goodCalls: {
    consensus_vote: { proposal: 'Keep the database in one file.', quickMode: true },
    pr_review: { prTitle: 'Add a table', prDiff: added('src/table.ts', ['export const table = [];']) },
    tell_outcome: async (plugin) => {
      const { recordId } = await plugin.answer('consensus_vote', { proposal: 'Keep it.', quickMode: true });
      return { recordId, outcome: 'right', source: 'a test run' };
    },
    supply_chain_tradeoff_panel: { proposal: 'Vendor the parser.', quickMode: true },
  },
});
