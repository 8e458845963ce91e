import { loopbackSources, patientClock, startPlugin } from '@nexus/testing';
import { expect, it } from 'vitest';
import research from '../index.ts';

interface Added {
  readonly mentions: readonly string[];
  readonly fetched: { readonly note?: string };
}

it('says how many works of a page are beyond those that it puts into the catalog', async () => {
  await using sources = await loopbackSources(({ url }, response) => {
    const count = Number(url.pathname.slice(1));
    const ids = Array.from({ length: count }, (_, at) => `<p>arXiv:2101.${String(at).padStart(5, '0')}</p>`);
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Works</title>${ids.join('')}`);
  });
  const plugin = await startPlugin(research, { fetching: sources.fetching, testClock: patientClock() });
  const add = (count: number) =>
    plugin.answer<Added>('research_add_source', {
      url: `${sources.url}/${count}`,
      name: `Of ${count}`,
      type: 'blog',
    });
  const whole = await add(100);
  expect(whole.mentions).toHaveLength(100);
  expect(whole.fetched).not.toHaveProperty('note');
  const { mentions, fetched } = await add(130);
  expect(mentions).toHaveLength(100);
  expect(fetched.note).toBe(
    'it names 30 works beyond the first 100, not in the catalog; add what matters with research_add',
  );
  await plugin.stop();
});
