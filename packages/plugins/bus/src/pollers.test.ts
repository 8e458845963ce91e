import { scopeOf } from '@nexus/testing';
import { expect, it } from 'vitest';
import { createPollers } from './pollers.ts';

it('a name is shared while another session that polled under it is there', async () => {
  const pollers = createPollers();
  const [one, two, three] = ['pollers-1', 'pollers-2', 'pollers-3'].map(scopeOf) as [
    ReturnType<typeof scopeOf>,
    ReturnType<typeof scopeOf>,
    ReturnType<typeof scopeOf>,
  ];
  expect(pollers.isShared('ann', one)).toBe(false);
  expect(pollers.isShared('ann', one)).toBe(false);
  expect(pollers.isShared('ben', two)).toBe(false);
  expect(pollers.isShared('ann', two)).toBe(true);
  await two.end();
  expect(pollers.isShared('ann', three)).toBe(false);
});
