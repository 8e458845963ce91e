import { expect, it } from 'vitest';
import { belowAnswer } from './below-answer.ts';

const told = (text: string, ...names: readonly string[]) =>
  belowAnswer({ text, toolCalls: names.map((name) => ({ name })), missing: [] });

it('says below an answer that speaks of tests or runs what was called for it beside reading', () => {
  expect(told('I ran the tests and they pass.', 'read_file', 'search_codebase')).toBe(
    '[Nothing was run for this answer.]\n',
  );
  expect(told('The suite is green.', 'run_checks')).toBe(
    '[For this answer, beside reading, was called: `run_checks`. Nothing else was run.]\n',
  );
  expect(told('It is in src/a.ts:1.', 'read_file')).toBe('');
});

it('shows no sign of control that a tool is called by, and says what is not there first', () => {
  const toolCalls = [{ name: 'run\u001b[2J', isError: true }];
  const said = belowAnswer({ text: 'It is tested.', toolCalls, missing: ['src/none.ts'] });
  expect(said).toMatch(/^\[not found in the project: src\/none\.ts\]\n\[For this answer/);
  expect(said).not.toContain('\u001b');
});
