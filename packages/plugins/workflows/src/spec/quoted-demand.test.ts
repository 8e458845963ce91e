import { describe, expect, it } from 'vitest';
import { demandsOf } from './quoted-demand.ts';

const NUMBERED = [
  '# Bytes', // 1
  '', // 2
  'Bytes reads sizes. Every change must be tested.', // 3
  '', // 4
  '- R-1: bytes.parse MUST return a number as it is.', // 5
  '- **R-2** It MUST round to two decimal places', // 6
  '  by default.', // 7
  '- R-3: bytes.parse MUST return null for a text that is no size.', // 8
  '', // 9
  '## R-4 Units', // 10
  '', // 11
  'The units are those of powers of two.', // 12
].join('\n');

const of = (id: string, quote: string, line = 1) => ({ id, quote, line });
const told = (spec: string, ...requirements: readonly ReturnType<typeof of>[]) => {
  const demandOf = demandsOf(spec, requirements);
  return requirements.map((each) => {
    const demand = demandOf(each);
    return 'fault' in demand ? demand.fault : demand.lines;
  });
};

describe('the words that ask for a requirement', () => {
  it.each([
    ['its own', of('R-1', 'bytes.parse MUST return a number as it is.'), { from: 5, to: 5 }],
    ['over two lines', of('R-2', 'round to two decimal places by default'), { from: 6, to: 7 }],
    ['below its heading', of('R-4', 'The units are those of powers of two.'), { from: 12, to: 12 }],
    ['of several places those of its number', of('R-3', ': bytes.parse MUST return n'), { from: 8, to: 8 }],
    ['those that are not numbered', of('tested', 'Every change must be tested.'), { from: 3, to: 3 }],
  ])('are %s', (_, requirement, lines) => {
    expect(told(NUMBERED, requirement)).toEqual([lines]);
  });

  it.each([
    ['words of another', of('R-9', 'null for a text that is no size'), /words of R-3, which is another/],
    ['words of another by a name', of('never-throws', 'a text that is no size'), /words of R-3/],
    [
      'a number that there is not',
      of('R-9', 'Every change must be tested.'),
      /^is none of .*R-1, R-2, R-3, R-4$/,
    ],
    ['words that ask for nothing', of('reads', '# Bytes'), /^is none of the requirements/],
    ['a fragment', of('R-3', 'MUST return'), /^quotes "MUST return", too little to say what it asks for/],
    ['what stands nowhere', of('R-3', 'It never throws.'), /does not stand in the specification/],
  ])('are not %s, where a specification numbers its requirements', (_, requirement, fault) => {
    expect(told(NUMBERED, requirement)).toEqual([expect.stringMatching(fault)]);
  });

  it('are not part of what another quotes, where nothing is numbered', () => {
    const spec = '- A text is refused with a message that names it.\n- It is quick.\n- UTF-8 is read.';
    expect(
      told(
        spec,
        of('refuses', 'A text is refused with a message that names it.'),
        of('never-throws', 'refused with a message that names it'),
        of('quick', 'It is quick'),
        of('reads', 'UTF-8 is read.'),
      ),
    ).toEqual([
      { from: 1, to: 1 },
      expect.stringContaining('a part of the words that another requirement quotes'),
      { from: 2, to: 2 },
      { from: 3, to: 3 },
    ]);
  });

  it('are found in a specification that was made to hold whoever reads it', () => {
    for (const part of ['- R-1: ', '. R-1', '| ', ' ', '#', 'R1 ', '. ', '[[((**', '\n## R-1 x']) {
      const spec = part.repeat(20_000);
      expect(told(spec, of('R-9', 'nothing of that'))).toEqual([expect.stringContaining('does not stand')]);
    }
  });
});
