import { testPlugin } from '@nexus/testing';
import { scriptedPanel } from '../test/scripted-panel.ts';
import consensus from './index.ts';

testPlugin(consensus, {
  models: scriptedPanel(),
  goodCalls: {
    consensus_vote: { proposal: 'Keep the database in one file.', quickMode: true },
  },
});
