import { describe, expect, it } from 'vitest';
import { readMutants } from './mutants.ts';

const at = (line: number, from: number, to: number) => ({
  start: { line, column: from },
  end: { line, column: to },
});
const report = {
  files: {
    'src/a.ts': {
      source: 'if (a) {\n  return a > 1;\n}',
      mutants: [
        { mutatorName: 'X', replacement: 'true', status: 'Killed', location: at(1, 5, 6) },
        {
          ...{ mutatorName: 'X', replacement: 'a >=\n 1', status: 'Survived', testsCompleted: 3 },
          location: at(2, 10, 15),
        },
        {
          ...{ mutatorName: 'X', replacement: '1', status: 'Survived', testsCompleted: 0 },
          location: at(1, 5, 6),
        },
        { mutatorName: 'X', replacement: '{}', status: 'NoCoverage', location: at(1, 8, 9) },
        { mutatorName: 'X', replacement: 'false', status: 'Timeout', location: at(1, 5, 6) },
        { mutatorName: 'X', replacement: '""', status: 'Ignored', location: at(1, 5, 6) },
        { mutatorName: 'X', replacement: '1', status: 'CompileError', location: at(1, 5, 6) },
      ],
    },
  },
};

describe('readMutants', () => {
  it('counts what ran, and writes survivors so that they are found again when lines move', () => {
    expect(readMutants(report, 'src/a.ts')).toEqual({
      total: 5,
      killed: 3,
      hung: 1,
      survivors: ['return [a > 1]; → a >= 1', 'if (a) [{] → {}'],
    });
  });

  it('finds none in a file that has none', () => {
    expect(readMutants(report, 'src/b.ts')).toEqual({ total: 0, killed: 0, hung: 0, survivors: [] });
  });
});
