import { expect, it } from 'vitest';
import { fake, sourceOf, startDownstreams } from '../../test/downstreams-under-test.ts';

const book = {
  name: 'book',
  inputSchema: {
    type: 'object',
    properties: { what: { type: 'string' } },
    required: ['what'],
    additionalProperties: false,
  },
};

it('says what a call would be refused for, by what its server listed before, and reaches no server for that', async () => {
  const settings = fake({ hostileTools: [book] }, { tools: { book: { name: 'reserve' } } });
  await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: settings } } }));
  const check = (tool: string, given: Readonly<Record<string, unknown>>) =>
    test.downstreams.check({ origin: `a__s__${tool}`, arguments: given }, test.session('two').caller.session);
  expect(await check('book', {})).toEqual([]);
  await test.session('one').open('a');
  await test.restart();
  expect(await check('book', { what: 'a table' })).toEqual([]);
  expect(await check('book', {})).toMatchObject([{ path: 'what' }]);
  expect(await check('book', { what: 7 })).toMatchObject([{ path: 'what' }]);
  expect(await check('book', { what: 'a table', when: 'now' })).toMatchObject([{ path: 'when' }]);
  expect(await check('nosuch', {})).toEqual([]);
  const { session } = test.session('three').caller;
  expect(await test.downstreams.whyNot('a__s__book', session)).toBeUndefined();
  const [toolbox] = await test.downstreams.list(['a'], session);
  expect(toolbox?.servers).toMatchObject([{ state: 'idle' }]);
});
