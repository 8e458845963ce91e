import { expect, it, vi } from 'vitest';
import { fake } from '../../test/downstreams-under-test.ts';
import { createOffer } from './offer.ts';
import { readList } from './tool-list.ts';

const tool = (name: string, description: string) => ({ name, description, inputSchema: { type: 'object' } });
const settingsOf = (tools = {}) => ({
  description: '',
  prefix: true,
  mcpServers: { s: { ...fake({}), tools } },
  faults: [],
});

function offerOf(raw: readonly object[], { tools = {}, denied = '', pending = new Set<string>() } = {}) {
  const relay = vi.fn((_origin, listing) => ({ name: listing.name, listing }) as never);
  const known = { ...readList(raw), pending, patterns: undefined };
  const offer = createOffer(
    { toolbox: 't', key: 'k', settings: settingsOf(tools) as never },
    { lists: { get: () => known }, permits: ({ name }) => name !== denied, relay },
  );
  return { offer, relay };
}

it('finds tools without reading one, and makes the one that is called once', () => {
  const { offer, relay } = offerOf([tool('a', 'x'), tool('b', 'y')]);
  const parse = vi.spyOn(JSON, 'parse');
  expect(offer.inSight().map(({ registeredName }) => registeredName)).toEqual(['t__s__a', 't__s__b']);
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
  expect(relay).not.toHaveBeenCalled();
  const [first] = offer.tools().tools;
  expect(first?.registered).toBe(first?.registered);
  expect(first?.registered.listing).toEqual({ ...tool('a', 'x'), name: 't__s__a' });
  expect(relay).toHaveBeenCalledOnce();
});

it('lays the config’s name and description over a definition', () => {
  const { offer } = offerOf([tool('a', 'x')], { tools: { a: { name: 'z', description: 'ours' } } });
  expect(offer.inSight()[0]?.definition).toEqual(tool('z', 'ours'));
});

it('has one version for the same tools, and another where anything of them is another', () => {
  const versionOf = (...args: Parameters<typeof offerOf>) => offerOf(...args).offer.version();
  const raw = [tool('a', 'x'), tool('b', 'y')];
  expect(versionOf(structuredClone(raw))).toBe(versionOf(raw));
  const others = [
    versionOf([tool('a', 'x'), tool('b', 'z')]),
    versionOf(raw, { denied: 't__s__a' }),
    versionOf(raw, { pending: new Set(['a']) }),
    versionOf(raw, { tools: { a: { description: 'ours' } } }),
    versionOf(raw, { tools: { a: { name: 'c' } } }),
  ];
  expect(new Set([versionOf(raw), ...others]).size).toBe(6);
});
