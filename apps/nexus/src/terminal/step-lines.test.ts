import { describe, expect, it } from 'vitest';
import { stepLines } from './step-lines.ts';

function shown(isTTY: boolean, reports: readonly string[], columns = 80) {
  let text = '';
  const stream = {
    isTTY,
    columns,
    rows: 24,
    write(part: string | Uint8Array) {
      text += String(part);
      return true;
    },
  };
  const lines = stepLines(stream);
  for (const report of reports) lines.show(report);
  lines.end();
  return text;
}

describe('the lines of steps', () => {
  it('are one for each report where nobody can see them change', () => {
    expect(shown(false, ['plan', 'Find: asks the model', 'Find: search'])).toBe(
      'plan\nFind: asks the model\nFind: search\n',
    );
  });

  it('are one for each step on a terminal, and change in their place', () => {
    const text = shown(true, ['plan', 'Find: asks the model', 'Read: asks the model', 'Find: search']);
    const last = text.slice(text.lastIndexOf('A\r'));
    expect(last).toContain('plan');
    expect(last).toContain('Find: search');
    expect(last).toContain('Read: asks the model');
    expect(last).not.toContain('Find: asks');
    expect(text.slice(0, -last.length)).toMatch(/\x1b\[3$/);
  });

  it('are as wide as usual on a terminal that knows no size', () => {
    expect(shown(true, [`plan: ${'x'.repeat(100)}`], 0)).toContain(`plan: ${'x'.repeat(73)}\n`);
  });

  it('are never wider than the terminal, and hold no control sequence of a model’s', () => {
    const text = shown(true, [`\x1b[31mred ${'x'.repeat(100)}\n\x07: works`], 40);
    expect(text).not.toContain('\x1b[31m');
    expect(text.match(/x+/)?.[0].length).toBeLessThan(40);
  });
});
