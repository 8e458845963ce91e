import { expect, it, vi } from 'vitest';
import { fake, sourceOf } from '../../test/downstreams-under-test.ts';
import type { Environment, ToolboxSource } from '../downstreams.ts';
import type { KnownList } from './known-lists.ts';
import { createOffers } from './offers.ts';
import { readList } from './tool-list.ts';

const lists = new Map<string, KnownList>();
const offering = {
  lists: { get: ({ server }: { server: string }) => lists.get(server) },
  permits: () => true,
  relay: () => {
    throw new Error('no tool is listed here');
  },
};

/** Whose server `s` gets what the host has in `KEY`. */
const byKey = (names: readonly string[]): ToolboxSource => {
  const source = sourceOf(Object.fromEntries(names.map((name) => [name, {}])));
  return {
    ...source,
    toolboxes: source.toolboxes.map((outline) => ({ ...outline, servers: ['s'] })),
    settings(toolbox, { KEY }: Environment) {
      if (KEY === undefined) throw new Error('KEY is not set');
      return { ...source.settings(toolbox, {}), mcpServers: { s: fake({}, { env: { KEY } }) } };
    },
  };
};

it('has one offer for all hosts whose settings come out equal, expanded once for each', () => {
  const offers = createOffers(byKey(['dev']), offering);
  const [one, same, other] = [{ KEY: 'a' }, { KEY: 'a', MORE: 'b' }, { KEY: 'c' }];
  expect(offers.of('dev', one)).toBe(offers.of('dev', same));
  expect(offers.of('dev', one)).toBe(offers.of('dev', one));
  expect(offers.of('dev', other)).not.toBe(offers.of('dev', one));
});

it('names what can’t be expanded with its servers, and the nearest of what there is not', () => {
  const offers = createOffers(byKey(['dev', 'ops']), offering);
  expect(offers.all({}).faulty).toEqual([
    { toolbox: 'dev', server: 's', reason: 'KEY is not set' },
    { toolbox: 'ops', server: 's', reason: 'KEY is not set' },
  ]);
  expect(offers.all({ KEY: 'a' }).offers.map(({ toolbox }) => toolbox)).toEqual(['dev', 'ops']);
  expect(() => offers.of('def', { KEY: 'a' })).toThrow('There is no toolbox "def"; did you mean dev?');
});

it('offers what the config says now, and another version once a list is another', () => {
  const offers = createOffers(byKey(['dev']), offering);
  const host = { KEY: 'a' };
  const offer = offers.of('dev', host);
  const before = offer.version();
  expect(offer.version()).toBe(before);
  lists.set('s', { ...readList([]), pending: new Set(), patterns: undefined });
  expect(offer.version()).not.toBe(before);
  offers.replace(byKey(['ops']));
  expect(() => offers.of('dev', host)).toThrow('There is no toolbox "dev"; the config has ops');
  expect(offers.of('ops', host).toolbox).toBe('ops');
});

it('names some toolboxes in an error, and of many how many there are', () => {
  const names = Array.from({ length: 21 }, (_, at) => `x${at}`);
  const some = createOffers(byKey(names.slice(1)), offering);
  expect(() => some.of('other', {})).toThrow(/the config has x1, .*, x20$/);
  const many = createOffers(byKey(names), offering);
  expect(() => many.of('other', {})).toThrow('the config has 21, which list_toolboxes names');
});

it('works nothing out again for a host that is given the same settings', () => {
  const source = byKey(['dev']);
  const settings = source.settings('dev', { KEY: 'a' });
  const read = vi.fn(() => settings.mcpServers);
  const watched = Object.defineProperty({ ...settings }, 'mcpServers', { get: read, enumerable: true });
  const offers = createOffers({ ...source, settings: () => watched }, offering);
  const first = offers.of('dev', {});
  const reads = read.mock.calls.length;
  expect(offers.of('dev', { OF: 'another host' })).toBe(first);
  expect(read).toHaveBeenCalledTimes(reads);
});

it('lets others have their turn while many toolboxes are expanded', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const source = byKey(['a', 'b', 'c', 'd']);
  const order: string[] = [];
  const offers = createOffers(
    {
      ...source,
      settings(toolbox, environment) {
        now += 6;
        order.push(toolbox);
        return source.settings(toolbox, environment);
      },
    },
    offering,
  );
  setImmediate(() => order.push('another'));
  await offers.prepare({ KEY: 'a' });
  clock.mockRestore();
  expect(order).toEqual(['a', 'b', 'another', 'c', 'd']);
});
