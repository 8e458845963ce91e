import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { groundIn } from './evidence.ts';
import { countedVerdict } from './judge.ts';
import { judgePrompt } from './prompts.ts';
import type { Requirement } from './requirements.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-evidence-')));
const root = join(base, 'project');
const own = join(root, '.data');
mkdirSync(own, { recursive: true });
writeFileSync(join(root, 'a.ts'), 'first line\nthe second  line\nthird line\nthe second line\n');
writeFileSync(join(own, 'token'), 'secret token');
writeFileSync(join(base, 'outside.ts'), 'outside text');
symlinkSync(join(base, 'outside.ts'), join(root, 'link.ts'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('claims of evidence', () => {
  it.each([
    ['at its line', { file: 'a.ts', line: 1, quote: 'first line' }, { isVerified: true, line: 1 }],
    [
      'with other white space',
      { file: 'a.ts', line: 2, quote: 'the second line' },
      { isVerified: true, line: 2 },
    ],
    ['nearest to where it is said to be', { file: 'a.ts', line: 9, quote: 'the second line' }, { line: 4 }],
    ['not there', { file: 'a.ts', line: 1, quote: 'fourth line' }, { isVerified: false }],
    ['too short to say anything', { file: 'a.ts', line: 1, quote: 'f' }, { isVerified: false }],
    ['in no file', { file: 'b.ts', line: 1, quote: 'first line' }, { fault: 'there is no such file' }],
    [
      'outside',
      { file: '../outside.ts', line: 1, quote: 'outside text' },
      { fault: 'it lies outside the project' },
    ],
    [
      'over a link',
      { file: 'link.ts', line: 1, quote: 'outside text' },
      { fault: 'it lies outside the project' },
    ],
    ['in Nexus’s own data', { file: '.data/token', line: 1, quote: 'secret token' }, { isVerified: false }],
    ['in a folder', { file: '.', line: 1, quote: 'first line' }, { isVerified: false }],
  ])('are looked up: %s', async (_, claim, found) => {
    const output = `## Evidence\n- ${claim.file}:${claim.line}: ${claim.quote}`;
    const { shown } = await groundIn({ output, root, privatePaths: [own] });
    expect(shown[0]).toMatchObject(found);
  });

  it.each([
    ['explained after a dash', 'the second line — it is the second'],
    ['explained as a comment', 'the second line // as said'],
    ['with numbers before its lines', '2\tthe second  line\n3\tthird line'],
    ['with something left out between', 'first line\n...\nthird line'],
    ['with something left out as a comment', 'first line\n// …\nthird line'],
  ])('are looked up as they are meant: %s', async (_, quote) => {
    const output = `## Evidence\n- a.ts:2\n\`\`\`\n${quote}\n\`\`\``;
    const { shown } = await groundIn({ output, root, privatePaths: [own] });
    expect(shown).toMatchObject([{ isVerified: true }]);
  });

  it('are looked up in any spelling of Markdown around the place and the text', async () => {
    const text = "args = args.slice(0, args.indexOf('--'));";
    writeFileSync(join(root, 'args.js'), `first();\n\t${text}\nlast();\n`);
    const around = (...marks: readonly string[]) =>
      fc.constantFrom(...marks).map((mark) => {
        const [before = '', after = ''] = mark.split('…');
        return (inner: string) => `${before}${inner}${after}`;
      });
    const emphasis = around('…', '**…**', '*…*', '_…_', '__…__', '***…***', '**_…_**');
    const code = around('…', '`…`', '``…``', '"…"', '“…”', '[…](args.js#L2)', '<code>…</code>');
    const spelling = fc.record({
      lead: fc.constantFrom('', '- ', '* ', '1. ', '> ', '  - '),
      place: fc.constantFrom('args.js:2', 'args.js#L2', 'args.js:2-2', './args.js:2:1', 'args.js, line 2'),
      placeCode: around('…', '`…`', '[…](args.js#L2)', '[`…`](args.js#L2)', '(…)'),
      placeEmphasis: emphasis,
      between: fc.constantFrom(': ', ' - ', ' — ', ' | ', ' '),
      code,
      emphasis,
      isInside: fc.boolean(),
      whole: around('…', '**…**'),
      fence: fc.constantFrom('', '```', '```js', '~~~'),
    });
    await fc.assert(
      fc.asyncProperty(spelling, async (spelt) => {
        // Emphasis of the whole line has none in it.
        const isWhole = spelt.whole('') !== '';
        const [onPlace, onText] = isWhole
          ? [(inner: string) => inner, (inner: string) => inner]
          : [spelt.placeEmphasis, spelt.emphasis];
        const place = onPlace(spelt.placeCode(spelt.place));
        const quoted = spelt.isInside ? spelt.code(onText(text)) : onText(spelt.code(text));
        const line =
          spelt.fence === ''
            ? `${spelt.lead}${spelt.whole(`${place}${spelt.between}${quoted}`)}`
            : `${spelt.lead}${place}:\n${spelt.fence}\n${text}\n${spelt.fence.slice(0, 3)}`;
        const { shown } = await groundIn({ output: `## Evidence\n${line}`, root, privatePaths: [own] });
        expect(shown).toMatchObject([{ isVerified: true, line: 2 }]);
      }),
      { numRuns: 500 },
    );
  });

  it('are not found by a part that could be cut off', async () => {
    writeFileSync(join(root, 'sum.ts'), 'export const sum = (a, b) => a - b;\n');
    const output = '## Evidence\n- sum.ts:1: export const sum = (a, b) => a + b;';
    const { shown } = await groundIn({ output, root, privatePaths: [own] });
    expect(shown).toMatchObject([{ isVerified: false }]);
  });

  it('are not found where a part of it is not there', async () => {
    const output = '## Evidence\n- a.ts:2\n```\nfirst line\n...\nno such line\n```';
    const { shown } = await groundIn({ output, root, privatePaths: [own] });
    expect(shown).toMatchObject([{ isVerified: false }]);
  });

  it('come with the lines around them, those that meet as one section', async () => {
    const long = Array.from({ length: 200 }, (_, index) => `line ${index + 1} of it`).join('\n');
    writeFileSync(join(root, 'long.ts'), long);
    const output =
      '## Evidence\n- long.ts:100: line 100 of it\n- long.ts:110: line 110 of it\n## Against\n- long.ts:180: line 180 of it\n';
    const { sections, against } = await groundIn({ output, root, privatePaths: [own] });
    expect(sections.map(({ lines }) => lines)).toEqual([
      { from: 75, to: 135 },
      { from: 155, to: 200 },
    ]);
    expect(sections[0]?.text).toMatch(/^75\tline 75 of it\n/);
    expect(against).toMatchObject([{ line: 180, isVerified: true }]);
  });

  it('say to the judge of how many parts of files the first are shown, and of how many places', async () => {
    const names = Array.from({ length: 22 }, (_, at) => `part-${at}.ts`);
    for (const name of names) writeFileSync(join(root, name), `the line of ${name}\n`);
    const claims = [...names, ...names, ...names].map((name) => `- ${name}:1: the line of ${name}`);
    const output = `## Evidence\n${claims.join('\n')}`;
    const ground = await groundIn({ output, root, privatePaths: [own] });
    expect(ground.sections).toHaveLength(20);
    const says = [
      'Of 66 places under "evidence", the first 50 were looked up.',
      'Around the places there are 22 parts of files, and the first 20 are shown.',
    ];
    expect(ground.leftOut).toEqual(says);
    const requirement = { text: 'It holds.', quote: 'It must hold.' } as Requirement;
    expect(judgePrompt(requirement, { output, ground })).toContain(says.join(' '));
    const few = await groundIn({ output: '## Evidence\n- a.ts:1: first line', root, privatePaths: [own] });
    expect(few).not.toHaveProperty('leftOut');
  });
});

describe('a verdict', () => {
  const places = [
    { file: 'a.ts', line: 1, quote: 'first line', isVerified: true },
    { file: 'a.ts', line: 1, quote: 'nothing', isVerified: false },
  ];
  const output = 'The sum of all numbers is right.';
  const place = (file: string, line: number) => ({ file, from: line, to: line, text: '' });
  const opened = { places: [place('b.ts', 7), place('b.ts', 70), place('d.ts', 2), place('e.ts', 3)] };
  const seen = [{ file: 'b.ts', from: 1, to: 20 }];
  const sections = [
    { file: 'e.ts', lines: { from: 1, to: 9 }, text: '2\tlet e;\n3\te = 1;… (9 more characters)' },
  ];
  const given = (
    restsOn: string[],
    { against = [] as typeof places, answersAgainst = '', objections = [] as string[] } = {},
  ) =>
    countedVerdict(
      { isMet: true, reason: 'So.', restsOn, answersAgainst },
      { output, ground: { shown: places, against, sections }, opened, seen, objections },
    );

  it.each([
    [['E1'], ['E1']],
    [['E2', 'E1', 'E9'], ['E1']],
    [
      ['E1', 'sum of  all numbers'],
      ['E1', 'sum of  all numbers'],
    ],
    [['b.ts:7'], ['b.ts:7']],
    [['as b.ts:7 shows', 'b.ts:70', 'd.ts:2'], ['as b.ts:7 shows']],
    [['e.ts:3'], ['e.ts:3']],
  ])('rests on %j as far as that is there: %j', (named, counted) => {
    expect(given(named)).toMatchObject({ isMet: true, restsOn: counted, basis: 'read' });
  });

  it.each([
    [[]],
    [['E2']],
    [['E3']],
    [['is right']],
    [['words that are not there']],
    [['c.ts:7']],
    // There, and neither shown to its judge nor opened by it.
    [['b.ts:70', 'd.ts:2']],
  ])('that rests on %j is not met', (named) => {
    expect(given(named)).toMatchObject({ isMet: false, restsOn: [], basis: 'believed' });
  });

  it('that rests on the words of the answer alone is not met, since these are what is judged', () => {
    expect(given(['sum of all numbers'])).toMatchObject({ isMet: false, basis: 'believed' });
  });

  it.each([
    ['a place', { against: places.slice(0, 1) }],
    ['another answer', { objections: ['it subtracts'] }],
  ])('that does not answer %s which speaks against it is not met', (_, speaks) => {
    expect(given(['E1'], speaks)).toMatchObject({
      isMet: false,
      reason:
        'So. It is not counted as met, since what speaks against it was not answered by another place that is there and that its judge saw.',
    });
    for (const answersAgainst of ['-', 'It is dead code.', 'See b.ts:70.', 'c.ts:7 guards it.', 'E2 does.']) {
      expect(given(['E1'], { ...speaks, answersAgainst })).toMatchObject({ isMet: false });
    }
    expect(given(['E1'], { ...speaks, answersAgainst: 'Dead code, by b.ts:7.' })).toMatchObject({
      isMet: true,
      reason: 'So. Against it: Dead code, by b.ts:7.',
    });
    expect(given(['E1'], { ...speaks, answersAgainst: 'E1 guards it.' })).toMatchObject({ isMet: true });
    // What is not there speaks for nothing.
    expect(given(['E1'], { against: places.slice(1) })).toMatchObject({ isMet: true });
  });

  it('that answers what speaks against it by that very place is not met', () => {
    const against = [{ file: './b.ts', line: 7, quote: 'a line', isVerified: true }];
    const answersAgainst = 'b.ts:7 is fine.';
    expect(given(['E1'], { against, answersAgainst })).toMatchObject({ isMet: false });
  });

  it.each([
    ['Not met. It subtracts.', true],
    ['**Not met.** `^0.0.3` lets 0.0.4 in.', true],
    ['## Not met', true],
    ['**Verdict: not met**', true],
    ['Verdict: **not met**', true],
    ['> The requirement is not met.', true],
    ['Met. The rest is not met by others.', false],
    ['**Met.**', false],
    ['', false],
    [`${'#'.repeat(50_000)}not met`, false],
  ])('has an answer against it that begins with %j: %s', (said, speaks) => {
    const ground = { shown: places, against: [], sections };
    const verdict = { isMet: true, reason: 'So.', restsOn: ['E1'], answersAgainst: '-' };
    expect(countedVerdict(verdict, { output: said, ground, opened, seen }).isMet).toBe(!speaks);
  });

  it('may quote an answer with or without the marks that a look-up put into it', () => {
    const marked = { output: 'The sum is in src/none.ts:4 (not found), of all numbers.' };
    const ground = { shown: places, against: [], sections: [] };
    for (const words of ['src/none.ts:4, of all numbers', 'src/none.ts:4 (not found), of all numbers']) {
      const verdict = { isMet: true, reason: 'So.', restsOn: ['E1', words], answersAgainst: '' };
      expect(countedVerdict(verdict, { ...marked, ground, opened }).restsOn).toEqual(['E1', words]);
    }
  });

  it('ends with what was not looked up', () => {
    const ground = {
      shown: places,
      against: [],
      sections: [],
      leftOut: ['Of 73 places, 50 were looked up.'],
    };
    const verdict = { isMet: false, reason: 'No.', restsOn: [], answersAgainst: '' };
    expect(countedVerdict(verdict, { output, ground, opened }).reason).toBe(
      'No. Of 73 places, 50 were looked up.',
    );
  });

  it.each([
    ['A1', ['A1'], 'read'],
    ['A2', [], 'believed'],
    ['A9', [], 'believed'],
  ])('against may rest on what speaks against it, as that is labelled: %s', (named, restsOn, basis) => {
    const ground = { shown: [], against: places, sections: [] };
    const verdict = { isMet: false, reason: 'It throws.', restsOn: [named], answersAgainst: '' };
    expect(countedVerdict(verdict, { output, ground, opened })).toMatchObject({
      isMet: false,
      restsOn,
      basis,
    });
  });

  it('for is not answered by what speaks against it, and rests on no more than that', () => {
    const against = places.slice(0, 1);
    for (const answersAgainst of ['', 'A1 is fine.']) {
      expect(given(['A1'], { against, answersAgainst }).isMet).toBe(false);
    }
  });

  it('against needs nothing to rest on', () => {
    const ground = { shown: places, against: [], sections: [] };
    const verdict = { isMet: false, reason: 'No.', restsOn: [], answersAgainst: '' };
    expect(countedVerdict(verdict, { output, ground, opened })).toEqual({
      isMet: false,
      reason: 'No.',
      restsOn: [],
      basis: 'believed',
    });
  });
});
