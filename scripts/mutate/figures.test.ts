import { describe, expect, it } from 'vitest';
import { withFigures } from './figures.ts';

const page = `# Page

| File | Mutants | Killed | By a hang | Survivors | Of those that a test could kill |
| --- | --- | --- | --- | --- | --- |
| \`b.ts\` | 1 | 1 | 0 | 0 | 100.0% |

Words after it.
`;

describe('withFigures', () => {
  it('adds a row in its place, and replaces it the next time', () => {
    const mutants = { total: 10, killed: 9, hung: 2, survivors: ['x'] };
    const once = withFigures(page, 'a.ts', mutants, 90);
    expect(once).toContain(
      '| --- |\n| `a.ts` | 10 | 9 | 2 | 1 | 90.0% |\n| `b.ts` | 1 | 1 | 0 | 0 | 100.0% |\n\nWords',
    );
    const again = withFigures(once, 'a.ts', { total: 10, killed: 10, hung: 0, survivors: [] }, 100);
    expect(again).toContain('| --- |\n| `a.ts` | 10 | 10 | 0 | 0 | 100.0% |\n| `b.ts` |');
    expect(again.endsWith('\n\nWords after it.\n')).toBe(true);
  });
});
