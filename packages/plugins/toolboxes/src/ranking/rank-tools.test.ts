import { expect, it } from 'vitest';
import { catalogued } from '../../test/catalogued.ts';
import { rankTools } from './rank-tools.ts';

const named = (names: string[], server = 's', toolbox = server) =>
  names.map((name) => catalogued(server, { name, description: `Does ${name}.` }, toolbox));

async function search(tools: ReturnType<typeof named>, queries: string[], toolboxes: string[] = []) {
  const { hits, total } = (await rankTools(tools)).search({ queries, toolboxes, limit: 20 });
  return {
    names: hits.map(({ tool }) => `${tool.toolbox}/${tool.tool}`),
    scores: hits.map((hit) => hit.score),
    total,
  };
}

it('finds by name, description, parameters and place', async () => {
  const tools = [
    catalogued('alpha', {
      name: 'sendMessage',
      description: 'Posts.',
      inputSchema: { properties: { channelId: {} } },
    }),
    catalogued('beta', { name: 'other', description: 'Archives old conversations.' }),
  ];
  for (const query of ['send messages', 'posts', 'channel', 'alpha']) {
    expect((await search(tools, [query])).names, query).toEqual(['alpha/sendMessage']);
  }
  expect((await search(tools, ['archive conversation'])).names).toEqual(['beta/other']);
});

it('knows a name with a capital inside by its parts and as one word', async () => {
  const tools = [
    ...named(['open_ticket'], 'alpha'),
    ...named(['open_ticket'], 'github'),
    ...named(['getFlagStatus'], 'TeamCity'),
  ];
  expect((await search(tools, ['open ticket on GitHub'])).names[0]).toBe('github/open_ticket');
  expect((await search(tools, ['open ticket'], ['GitHub'])).names[0]).toBe('github/open_ticket');
  for (const query of ['flag', 'getflagstatus', 'teamcity', 'team city']) {
    expect((await search(tools, [query])).names, query).toEqual(['TeamCity/getFlagStatus']);
  }
});

it('has what matches more of the words first', async () => {
  const { names } = await search(named(['create_label', 'create_issue', 'list_issues']), ['create issue']);
  expect(names[0]).toBe('s/create_issue');
});

it('has the tool whose whole name was asked for before one that says the words more often', async () => {
  const tools = [
    ...named(['list_droplets', 'get_droplet', 'delete_label', 'delete_key', 'list_labels', 'list_keys']),
    catalogued('s', { name: 'restore_droplet', description: 'Brings a droplet back after a delete.' }),
    catalogued('s', { name: 'droplet-delete', description: 'Takes one away with all that is on it.' }),
  ];
  const { names, scores } = await search(tools, ['delete a droplet']);
  expect(names[0]).toBe('s/droplet-delete');
  expect(Math.max(...scores)).toBeLessThanOrEqual(1);
  expect((await search(named(['to', 'other']), ['to'])).names).toEqual([]);
});

it('joins several queries', async () => {
  const { names } = await search(named(['a_ticket', 'b_bug', 'c_none']), ['ticket', 'bug']);
  expect(names).toEqual(['s/a_ticket', 's/b_bug']);
});

it.each([['left'], ['Left'], ['team left'], ['left_eye']])('ranks up what %s may mean', async (guess) => {
  const tools = [...named(['run_query'], 'right'), ...named(['run_query'], 'left')];
  expect((await search(tools, ['query'], [guess])).names).toEqual(['left/run_query', 'right/run_query']);
});

it('takes a guess for a server’s name too, and weighs the first one most', async () => {
  const tools = [
    ...named(['run'], 'one', 'work'),
    ...named(['run'], 'two', 'home'),
    ...named(['run'], 'three', 'den'),
  ];
  expect((await search(tools, ['run'], ['two', 'work'])).names).toEqual(['home/run', 'work/run', 'den/run']);
});

it('scores 1 what is first in all, and the same search the same', async () => {
  const tools = [...named(['run_query'], 'right'), ...named(['run_query'], 'left')];
  const first = await search(tools, ['left query'], ['left']);
  expect(first.scores[0]).toBeCloseTo(1);
  expect(await search(tools, ['left query'], ['left'])).toEqual(first);
});

it('finds nothing for words that no tool has, and in no tools', async () => {
  expect(await search(named(['a']), ['zebra', 'the'])).toMatchObject({ names: [], total: 0 });
  expect(await search([], ['zebra'])).toMatchObject({ names: [], total: 0 });
});

it('takes definitions as odd as servers serve them', async () => {
  const odd = [
    { name: 'constructor', description: 7, inputSchema: 'none' },
    { name: '__proto__', inputSchema: { properties: null } },
    { name: '測試工具', description: '搜索', inputSchema: { properties: { 路徑: {} } } },
  ];
  const tools = odd.map((definition) => catalogued('s', definition));
  expect((await search(tools, ['constructor'])).names).toEqual(['s/constructor']);
  expect((await search(tools, ['搜索'])).names).toEqual(['s/測試工具']);
});
