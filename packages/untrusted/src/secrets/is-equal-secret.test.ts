import { expect, it } from 'vitest';
import { isEqualSecret } from './is-equal-secret.ts';

it('tells equal secrets from others, whatever their length', () => {
  expect(isEqualSecret('open sesame', 'open sesame')).toBe(true);
  expect(isEqualSecret('open sesamE', 'open sesame')).toBe(false);
  expect(isEqualSecret('open', 'open sesame')).toBe(false);
  expect(isEqualSecret('', 'open sesame')).toBe(false);
});
