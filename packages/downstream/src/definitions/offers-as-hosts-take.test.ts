import { expect, it } from 'vitest';
import { promptAsHostsTake, resourceAsHostsTake, templateAsHostsTake } from './offers-as-hosts-take.ts';

const inText = (value: unknown) => JSON.stringify(value);

it('are the very objects that were served where a host takes them', () => {
  const annotations = {
    audience: ['user'],
    priority: 0.5,
    lastModified: '2026-11-22T12:00:00+01:00',
    own: 1,
  };
  const resource = {
    own: 1,
    uri: 'a://b',
    name: 'b',
    size: 3,
    mimeType: 'text/plain',
    annotations,
    _meta: {},
  };
  expect(resourceAsHostsTake(resource)).toBe(resource);
  const prompt = { name: 'p', arguments: [{ name: 'a', required: true, own: 1 }], icons: [{ src: 'data:' }] };
  expect(promptAsHostsTake(prompt)).toBe(prompt);
});

it.each([
  [{ description: null, mimeType: null, size: null, title: 1, _meta: [] }, {}],
  [
    { annotations: { audience: ['all'], priority: 2, lastModified: 'today', own: 1 } },
    { annotations: { own: 1 } },
  ],
  [{ annotations: { lastModified: '2026-99-99T00:00:00Z' } }, { annotations: {} }],
  [{ icons: [{ src: 'data:', sizes: '48x48' }] }, { icons: [] }],
])('leave out what means nothing to a host: %j', (odd, listed) => {
  const resource = { uri: 'a://b', name: 'b' };
  expect(inText(resourceAsHostsTake({ ...resource, ...odd }))).toBe(inText({ ...resource, ...listed }));
});

it('are called by their address where they have no name, and are none without one', () => {
  expect(resourceAsHostsTake({ uri: 'a://b' })).toEqual({ uri: 'a://b', name: 'a://b' });
  expect(templateAsHostsTake({ uriTemplate: 'a://{b}', name: null })).toEqual({
    uriTemplate: 'a://{b}',
    name: 'a://{b}',
  });
  expect(resourceAsHostsTake({ name: 'b' })).toBeUndefined();
});

it('have those arguments of a prompt that have a name', () => {
  const prompt = { name: 'p', arguments: [{ name: 'a', description: null, required: 'yes' }, null, {}] };
  expect(promptAsHostsTake(prompt)).toEqual({ name: 'p', arguments: [{ name: 'a' }] });
  expect(promptAsHostsTake({ name: 'p', arguments: null })).toEqual({ name: 'p' });
});
