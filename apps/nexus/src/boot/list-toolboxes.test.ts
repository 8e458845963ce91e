import { expect, it, vi } from 'vitest';
import { listToolboxes } from './list-toolboxes.ts';

function boxes(count: number, description: () => string) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `box${String(at).padStart(4, '0')}`,
      Object.defineProperty({ mcpServers: { a: { command: 'x' } }, autoOpen: false }, 'description', {
        get: description,
      }),
    ]),
  ) as unknown as Parameters<typeof listToolboxes>[0];
}

it('fills all of the room, and not a character more', () => {
  const toolboxes = boxes(3, () => 'Some words.');
  const whole = '- box0000: Some words.\n- box0001: Some words.\n- box0002: Some words.';
  expect(listToolboxes(toolboxes, whole.length)).toBe(whole);
  expect(listToolboxes(toolboxes, whole.length - 1)).toBe('- box0000\n- box0001\n- box0002');
});

it('looks at no more toolboxes of thousands than it may have room for', () => {
  const description = vi.fn(() => 'Some words.');
  expect(listToolboxes(boxes(6_000, description), 1_500)).toMatch(/^box0000, .*, and 5\d{3} more/);
  expect(description.mock.calls.length).toBeLessThan(1_000);
});
