import { testPlugin } from '@nexus/testing';
import { scriptedTeam } from '../test/scripted-team.ts';
import experts from './index.ts';

testPlugin(experts, {
  models: scriptedTeam({ steps: [{ id: 'look', expert: 'code', title: 'Look', task: 'Look at it.' }] }),
  goodCalls: {
    create_expert: { role: 'code' },
    delegate_to_model: { task: 'Prove it.', preferredCapability: 'reasoning' },
    execute_expert: async (plugin) => ({
      expertId: (await plugin.answer<{ expertId: string }>('create_expert', { role: 'qa' })).expertId,
      task: 'Check it.',
    }),
    list_experts: { format: 'names' },
    orchestrate: { task: 'Look at it.' },
    registry_import: { provider: 'scripted', modelId: 'model', dryRun: false },
    weather_report: {},
  },
});
