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

it('sessions that take turns under a name keep one callback between them', async () => {
  const pollers = createPollers();
  let kept = 0;
  const counted = (id: string) => {
    const scope = scopeOf(id);
    const onEnd = scope.onEnd.bind(scope);
    scope.onEnd = (release) => {
      const stop = onEnd(release);
      kept += 1;
      return () => {
        kept -= 1;
        stop();
      };
    };
    return scope;
  };
  const [one, two] = [counted('turns-1'), counted('turns-2')];
  for (let turn = 0; turn < 20; turn += 1) {
    pollers.isShared('ann', one);
    pollers.isShared('ann', two);
  }
  expect(kept).toBe(1);
  await one.end();
  expect(pollers.isShared('ann', scopeOf('turns-3'))).toBe(true);
});

it('a session that ended before its poll shares with nobody', async () => {
  const pollers = createPollers();
  const gone = scopeOf('ended-1');
  await gone.end();
  pollers.isShared('ann', gone);
  expect(pollers.isShared('ann', scopeOf('ended-2'))).toBe(false);
});
