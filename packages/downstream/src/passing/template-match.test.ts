import { expect, it } from 'vitest';
import { matchesTemplate } from './template-match.ts';

it.each([
  ['file:///{path}', 'file:///a', true],
  ['file:///{path}', 'file:///a/b', false],
  ['file:///{+path}', 'file:///a/b', true],
  ['file://{/path*}', 'file:///a/b', true],
  ['search{?q,page}', 'search?q=1&page=2', true],
  ['search{?q}', 'search', true],
  ['a.{x}', 'abx', false],
  ['test://{id}/data', 'test://1/data', true],
  ['test://{id}/data', 'test://1/other', false],
  ['plain', 'plain', true],
])('%s matches %s: %s', (template, uri, expected) => {
  expect(matchesTemplate(template, uri)).toBe(expected);
});
