import { describe, expect, it } from 'vitest';
import { claimsIn } from './claims.ts';

const QUOTE = 'const sum = (a, b) => a + b;';
const CLAIM = { file: 'src/sum.ts', line: 12, quote: QUOTE };
const under = (...lines: readonly string[]) =>
  claimsIn(['It is so.', '', '## Evidence', ...lines].join('\n')).shown;

describe('claims of evidence', () => {
  it.each<readonly [string, readonly string[]]>([
    ['as asked for', [`- src/sum.ts:12: ${QUOTE}`]],
    ['with another mark of a list', [`* src/sum.ts:12: ${QUOTE}`]],
    ['numbered', [`1. src/sum.ts:12: ${QUOTE}`]],
    ['without a mark', [`src/sum.ts:12: ${QUOTE}`]],
    ['with the place in bold', [`- **src/sum.ts:12**: ${QUOTE}`]],
    ['with the place as code', [`- \`src/sum.ts:12\`: ${QUOTE}`]],
    ['with both as code', [`- \`src/sum.ts:12\` — \`${QUOTE}\``]],
    ['with the file alone as code', [`- \`src/sum.ts\`:12 — \`${QUOTE}\``]],
    ['in bold as code', [`- **\`src/sum.ts:12\`**: \`${QUOTE}\``]],
    ['in quotes', [`- src/sum.ts:12 "${QUOTE}"`]],
    ['in curly quotes', [`- src/sum.ts:12 “${QUOTE}”`]],
    ['as a range', [`- src/sum.ts:12-14: ${QUOTE}`]],
    ['as a range with a dash', [`- src/sum.ts:12–14: ${QUOTE}`]],
    ['with a column', [`- src/sum.ts:12:5: ${QUOTE}`]],
    ['as an anchor', [`- src/sum.ts#L12: ${QUOTE}`]],
    ['as a range of anchors', [`- src/sum.ts#L12-L14: ${QUOTE}`]],
    ['as a link', [`- [src/sum.ts:12](src/sum.ts#L12): ${QUOTE}`]],
    ['as a link with words', [`- [the sum](src/sum.ts#L12): \`${QUOTE}\``]],
    ['in words', [`- src/sum.ts, line 12: ${QUOTE}`]],
    ['in words and brackets', [`- \`src/sum.ts\` (lines 12-14): \`${QUOTE}\``]],
    ['in a fence below', ['- src/sum.ts:12', '  ```ts', `  ${QUOTE}`, '  ```']],
    ['in a fence after an empty line', ['`src/sum.ts:12`:', '', '```', QUOTE, '```']],
    ['quoted below', ['- src/sum.ts:12', `> ${QUOTE}`]],
    ['indented below', ['- src/sum.ts:12:', `    ${QUOTE}`]],
    ['in a table', ['| Place | Text |', '| --- | --- |', `| src/sum.ts:12 | \`${QUOTE}\` |`]],
    ['as code that is explained after', [`- src/sum.ts:12: \`${QUOTE}\` — it adds`]],
    ['under its number', [`- E1: src/sum.ts:12: ${QUOTE}`]],
  ])('are read %s', (_, lines) => {
    expect(under(...lines).map((claim) => ({ ...claim, quote: claim.quote.trim() }))).toEqual([CLAIM]);
  });

  it.each([
    '# Evidence',
    '### Evidence (1 place)',
    '**Evidence**',
    '**Evidence:**',
    'Evidence:',
    '## **Evidence**',
  ])('are read under %s', (heading) => {
    expect(claimsIn(`So.\n\n${heading}\n- a.ts:2: the second line`).shown).toHaveLength(1);
  });

  it('are of the last section of that name, up to the next heading, and those against apart', () => {
    const output = [
      '## Evidence',
      '- old.ts:1: not this',
      '## Evidence',
      '- a.ts:2: the second line',
      '- no place here',
      '- b.ts:3:',
      '```',
      '## Against',
      '```',
      '## Against',
      '- c.ts:4: what speaks against it',
      '## Else',
      '- d.ts:5: not this either',
    ].join('\n');
    expect(claimsIn(output)).toEqual({
      shown: [
        { file: 'a.ts', line: 2, quote: 'the second line' },
        { file: 'b.ts', line: 3, quote: '## Against' },
      ],
      against: [{ file: 'c.ts', line: 4, quote: 'what speaks against it' }],
      leftOut: [],
    });
  });

  it('say how many of them were not taken, on either side', () => {
    const place = '- a.ts:2: the second line\n';
    const output = `## Evidence\n${place.repeat(73)}## Against\n${place.repeat(50)}- b.ts:3: ${'x'.repeat(2_000)}`;
    const { shown, against, leftOut } = claimsIn(output);
    expect([shown.length, against.length]).toEqual([50, 50]);
    expect(leftOut).toEqual([
      'Of 73 places under "evidence", the first 50 were looked up.',
      'Lines of more than 2000 characters under "against" name no place: 1 of them.',
    ]);
  });

  it('are taken below "For", which models say as well', () => {
    const place = { file: 'a.ts', line: 2, quote: 'the second line' };
    for (const heading of ['For:', '## For', '**For**:'])
      expect(claimsIn(`Met.\n\n${heading}\n- a.ts:2: the second line\n\nAgainst: none`)).toEqual({
        ...{ shown: [place], against: [], leftOut: [] },
      });
    expect(claimsIn('## Format\n- a.ts:2: the second line').shown).toEqual([]);
  });

  it('without a heading are not taken, and said to be there', () => {
    const leftOut = ['The answer has no section "Evidence", so 1 line that names a place was not looked up.'];
    expect(claimsIn('a.ts:2: the second line')).toEqual({ shown: [], against: [], leftOut });
  });

  it.each([
    ['that say none', '## Evidence\nnone\n\n## Against\nnone'],
    ['in prose', '## Evidence\nThe sum is shown at the place above: it adds.'],
  ])('are none %s', (_, output) => {
    expect(claimsIn(output)).toEqual({ shown: [], against: [], leftOut: [] });
  });
});
