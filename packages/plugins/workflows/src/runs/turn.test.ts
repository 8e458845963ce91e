import { expect, it } from 'vitest';
import type { Work } from '../expressions/work.ts';
import { inTurn } from './turn.ts';

const heavy = (work: Work) => work.spend(1_000_000, 0, 0);

it('has others come between any two that take long, and none between what takes little', async () => {
  const order: string[] = [];
  let isOver = false;
  const other = () => {
    order.push('other');
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  const work = (name: string, workOut: (work: Work) => void) =>
    inTurn((own) => {
      workOut(own);
      order.push(name);
    });
  await Promise.all([work('light', () => {}), work('light', () => {})]);
  expect(order).toEqual(['light', 'light']);
  await Promise.all([work('1', heavy), work('2', heavy), work('3', heavy)]);
  await work('4', heavy);
  isOver = true;
  const places = order.flatMap((each, at) => (Number(each) > 0 ? [at] : []));
  expect(places.map((at) => order[at])).toEqual(['1', '2', '3', '4']);
  places.slice(1).forEach((at, index) => {
    expect(order.slice((places[index] ?? 0) + 1, at)).toContain('other');
  });
});

it('goes on after one that fails', async () => {
  const failing = inTurn((work) => {
    heavy(work);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await inTurn(() => 1)).toBe(1);
});
