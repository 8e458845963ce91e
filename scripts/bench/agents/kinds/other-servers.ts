import { BELOW, type Kind } from '../work.ts';

export const otherServers: Kind = {
  name: 'other servers',
  most: BELOW,
  tasks: () => [
    {
      asked: 'Which issues of acme/shop are open? Numbers and titles.',
      nexus: [
        find('list issues', 'tracker'),
        {
          tool: 'use_tool',
          arguments: {
            toolbox: 'tracker',
            tool: 'list_issues',
            arguments: { repository: 'acme/shop' },
            pick: ['[].number', '[].title'],
          },
        },
      ],
      shell: [
        `mcp list | rg -i issue`,
        `mcp schema tracker list_issues`,
        `mcp call tracker list_issues '{"repository":"acme/shop"}' | jq -c '[.[]|{number,title}]'`,
      ],
      holds: ['Import number 1 stops at an empty row', 'Import number 40 stops at an empty row'],
    },
    {
      asked: 'Which services does the knowledge graph know, and what are they?',
      nexus: [
        find('read knowledge graph', 'graph'),
        {
          tool: 'use_tool',
          arguments: { toolbox: 'graph', tool: 'read_graph', pick: ['entities[].name'] },
        },
      ],
      shell: [
        `mcp list | rg -i graph`,
        `mcp schema graph read_graph`,
        `mcp call graph read_graph '{}' | jq -c '[.entities[].name]'`,
      ],
      holds: ['payments-service-0', 'delivery-service-59'],
    },
    {
      asked: 'How large is package.json, and when was it last written?',
      nexus: [
        find('get file info metadata', 'files'),
        {
          tool: 'use_tool',
          arguments: { toolbox: 'files', tool: 'get_file_info', arguments: { path: 'package.json' } },
        },
      ],
      shell: [
        `mcp list | rg -i 'file.*(info|metadata)'`,
        `mcp schema files get_file_info`,
        `mcp call files get_file_info '{"path":"package.json"}'`,
      ],
      holds: ['size: ', 'modified: '],
    },
    {
      asked: 'What do 17 and 25 make, by whatever adds numbers?',
      nexus: [
        find('add numbers sum', 'demo'),
        { tool: 'use_tool', arguments: { toolbox: 'demo', tool: 'get-sum', arguments: { a: 17, b: 25 } } },
      ],
      shell: [
        `mcp list | rg -i 'sum|add'`,
        `mcp schema demo get-sum`,
        `mcp call demo get-sum '{"a":17,"b":25}'`,
      ],
      holds: ['42'],
    },
  ],
};

function find(query: string, toolbox: string) {
  return { tool: 'find_tools', arguments: { queries: [query], toolboxes: [toolbox], limit: 3, as: 'types' } };
}
