import { expect, it } from 'vitest';
import { isElsewhere } from './server-address.ts';

it.each([
  ['https://mcp.example.com/x', true],
  ['http://10.0.0.7:80/', true],
  ['http://127.0.0.1.example.com/', true],
  ['http://localhost:3000/mcp', false],
  ['http://127.0.0.1:3000/mcp', false],
  ['http://0x7f.1/mcp', false],
  ['http://[::1]/mcp', false],
  [undefined, false],
])('%s is elsewhere: %s', (url, is) => {
  expect(isElsewhere(url)).toBe(is);
});
