import { fakeToolboxes, testPlugin } from '@nexus/testing';
import { filesTools } from '../test/files-tools.ts';
import plugin from './index.ts';

testPlugin(plugin, {
  toolboxes: fakeToolboxes({ toolboxes: { dev: { files: filesTools().tools } } }),
  goodCalls: {
    list_toolboxes: {},
    open_toolbox: { toolbox: 'dev' },
    close_toolbox: { toolbox: 'dev' },
    find_tools: { queries: ['read file'] },
    use_tool: { toolbox: 'dev', server: 'files', tool: 'list_files' },
  },
});
