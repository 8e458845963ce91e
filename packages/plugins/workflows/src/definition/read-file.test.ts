// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions are written like that
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFile } from './read-file.ts';

/** `line:column path: message` of each. */
const faultsOf = (text: string) =>
  readFile(text).faults.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`);

const steps = (...lines: string[]) => ['name: x', 'description: x', 'steps:', ...lines].join('\n');
const graph = (...lines: string[]) => ['name: x', 'description: x', ...lines].join('\n');

describe('a workflow file', () => {
  it('is one document', () => {
    const [fault] = faultsOf(
      `${steps('  - { id: a, uses: tool:b }')}\n---\n${steps('  - { id: c, uses: tool:d }')}`,
    );
    expect(fault).toMatch(/^5:1 .*a second document begins here: a file holds one/);
  });

  it('has all its faults told at once, each where it stands, with the nearest name', () => {
    const text = [
      'name: Bad Name',
      'descripton: x',
      'version: 1.0',
      'inputs:',
      '  - { name: task, type: text, description: What. }',
      '  - { name: task, description: What., default: 4 }',
      'steps:',
      '  - id: first',
      '    uses: tol:search',
      '    retries: 6',
      '    with:',
      '      query: "a ${{ inputs.tsak }} ${{ steps.secnd.output }}"',
      '  - id: second',
      '    uses: expert:security',
      '    with: { taks: x, maxSteps: 900 }',
      '    needs: [frist, first]',
      '    forEach: "x ${{ inputs.task }}"',
      '    if: ${{ secrets.KEY == item }}',
      '  - id: constructor',
      '    uses: vote',
      '    concurrency: 2',
      '    with: { proposal: "${{ lenght(steps.first.outptu) }}", strategy: most }',
      'outputs:',
      '  a: ${{ steps.first.output ',
      'inptus: []',
    ].join('\n');
    expect(faultsOf(text)).toEqual([
      '1:1 : "description" is missing',
      '1:7 name: must begin with a letter and have small letters, digits and - only',
      '2:1 descripton: there is no "descripton" here; did you mean description?',
      '3:10 version: Invalid input: expected string, received number',
      '5:25 inputs.0.type: must be one of string, number, boolean, array, object',
      '6:13 inputs.1.name: "task" is the name of another one already, in line 5',
      '6:48 inputs.1.default: is no string, which the input takes',
      '9:11 steps.0.uses: "tol:search" is none of tool:<name>, expert:<role>, vote, prove, ask and wait; did you mean tool?',
      '10:14 steps.0.retries: Too big: expected number to be <=5',
      '12:21 steps.0.with.query: there is no input "tsak"; did you mean task?',
      '12:40 steps.0.with.query: there is no step "secnd"; did you mean second?',
      '15:11 steps.1.with: "task" is missing',
      '15:13 steps.1.with.taks: there is no "taks" here; did you mean task?',
      '15:32 steps.1.with.maxSteps: Too big: expected number to be <=200',
      '16:13 steps.1.needs.0: there is no step "frist"; did you mean first?',
      '17:14 steps.1.forEach: must be one expression and nothing beside it: ${{ … }}',
      '18:13 steps.1.if: "secrets" stands for nothing here (the environment and secrets are out of reach of a workflow; pass what it needs as an input); there are inputs, steps',
      '18:28 steps.1.if: "item" stands for nothing here; there are inputs, steps',
      '19:9 steps.2.id: "constructor" is reserved; choose another name',
      '21:18 steps.2.concurrency: is of a forEach, and there is none',
      '22:28 steps.2.with.proposal: there is no function "lenght"; did you mean length?',
      '24:9 outputs.a: `${{` is not closed; write `}}` after the expression',
      '25:1 inptus: there is no "inptus" here; did you mean inputs?',
    ]);
  });

  it('whose steps wait for each other is told the circle, by what they name too', () => {
    expect(
      faultsOf(
        steps(
          "  - { id: a, uses: 'tool:t', needs: [c] }",
          "  - { id: b, uses: 'tool:t', with: { x: '${{ steps.a.output }}' } }",
          "  - { id: c, uses: 'tool:t', if: '${{ steps.b.status == ''completed'' }}' }",
          "  - { id: d, uses: 'tool:t', needs: [d] }",
          "  - { id: e, uses: 'tool:t', needs: [a] }",
        ),
      ),
    ).toEqual([
      '4:37 steps.0.needs: a needs c needs b needs a: none of them can begin. A workflow goes forward only; a graph can go back.',
      '7:37 steps.3.needs: d needs d: none of them can begin. A workflow goes forward only; a graph can go back.',
    ]);
  });

  it('names a step’s parts, and no step as a whole or by a value', () => {
    expect(
      faultsOf(
        steps(
          "  - { id: a, uses: 'tool:t', forEach: [1], with: { x: '${{ item }}${{ index }}' } }",
          "  - { id: b, uses: 'tool:t', with: { x: '${{ toJson(steps) }}', y: '${{ steps[inputs.z].output }}', z: '${{ steps.a.outptu }}' } }",
        ),
      ),
    ).toEqual([
      '5:53 steps.1.with.x: name the step itself: steps.<id>',
      '5:73 steps.1.with.y: name the step itself: steps.<id>',
      '5:79 steps.1.with.y: there is no input "z"',
      '5:109 steps.1.with.z: of a step there is no "outptu"; did you mean output?',
    ]);
  });

  it.each([
    ['ids: [1, 9007199254740993]', '6:22 steps.0.with.ids.1: 9007199254740993'],
    ['below: 0.12345678901234567890123', '6:20 steps.0.with.below: 0.12345678901234567890123'],
    ['mask: 0x20000000000001', '6:19 steps.0.with.mask: 0x20000000000001'],
    ['id: "${{ 9007199254740993 }}"', '6:22 steps.0.with.id: 9007199254740993'],
    ['9007199254740993: x', '6:13 steps.0.with.9007199254740992: 9007199254740993'],
  ])('is refused a number that would be sent as another: %s', (line, fault) => {
    const [found = '', ...others] = faultsOf(steps('  - id: a', '    uses: tool:t', `    with: { ${line} }`));
    expect(others).toEqual([]);
    expect(found).toBe(
      `${fault} would be rounded to another number; write it as a text in quotes where a text is taken, else with at most 15 digits`,
    );
  });

  it('has numbers as long as they are kept, and any in quotes', () => {
    expect(
      faultsOf(
        steps("  - { id: a, uses: 'tool:t', with: { a: [0.1, -1.50, 1e3, +7, 0x1F, '9007199254740993'] } }"),
      ),
    ).toEqual([]);
  });

  it('is refused more items than can be done', () => {
    const items = Array(10_001).fill(1).join(',');
    expect(faultsOf(steps(`  - { id: a, uses: 'tool:t', forEach: [${items}] }`))).toEqual([
      '4:39 steps.0.forEach: has 10001 items; at most 10000 are done',
    ]);
  });

  it('has places in blocks and quotes too', () => {
    const text = steps(
      '  - id: a',
      '    uses: tool:t',
      '    with:',
      '      folded: >-',
      '        some text',
      '        ${{ inputs.a }} and ${{',
      '          inputs.b }}',
      "      quoted: 'it''s ${{ inputs.c == ''x'' && inputs.d }}'",
      '      plain: ${{ inputs.e }}',
    );
    expect(faultsOf(text).map((fault) => fault.split(' ')[0])).toEqual([
      '9:13',
      '10:11',
      '11:26',
      '11:47',
      '12:18',
    ]);
  });

  it.each([
    ['', /holds no workflow/],
    ['- a', /holds no workflow/],
    ['name: x', /neither steps nor nodes/],
    ['name: x\nstep: []', /^2:1 step: has neither steps nor nodes; did you mean steps\?/],
    ['a: {', /^1:/],
    ['a: 1\na: 2', /^2:1.*unique/],
    ['a: *b', /Unresolved alias/],
    ['a: !!js/function x', /tag/],
    ['name: x\nsteps: .inf', /no number that JSON has/],
    ['__proto__: { steps: [] }', /"__proto__" can be no name/],
    [`name: ${'['.repeat(100)}${']'.repeat(100)}`, /nested more than 60 deep/],
    [
      [
        'a: &a [1,1,1,1,1,1,1,1,1,1]',
        ...'bcdefgh'
          .split('')
          .map((key, at) => `${key}: &${key} [${Array(10).fill(`*${'abcdefgh'[at]}`).join(',')}]`),
      ].join('\n'),
      /[Ee]xcessive alias count/,
    ],
  ])('that is none is told why: %s', (text, message) => {
    expect(faultsOf(text).join('\n')).toMatch(message);
  });

  it('comes to a definition or to faults with a place, whatever it holds', () => {
    const words = fc.constantFrom(
      'name',
      'steps',
      'nodes',
      'id',
      'uses',
      'with',
      'needs',
      ': ',
      '- ',
      '\n',
      '  ',
      '{',
      '}',
      '[',
      ']',
      "'",
      '"',
      '${{',
      '}}',
      'a',
      'tool:x',
      'vote',
      '|',
      '>',
      '#',
      '&a',
      '*a',
      ',',
      '1',
    );
    const any = fc.oneof(
      fc.string(),
      fc.array(words, { maxLength: 40 }).map((each) => each.join('')),
    );
    fc.assert(
      fc.property(any, (text) => {
        const { definition, faults } = readFile(text);
        expect(definition === undefined).toBe(faults.length > 0);
        for (const { line, column } of faults) expect(line > 0 && column > 0).toBe(true);
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('name', 'steps', 'nodes', 'edges', 'inputs', 'state', 'outputs'),
          fc.jsonValue(),
        ),
        (file) => {
          expect(() => readFile(JSON.stringify(file))).not.toThrow();
        },
      ),
    );
  });
});

describe('a graph file', () => {
  const nodes = "nodes: [{ id: a, uses: 'tool:t' }, { id: b, uses: 'tool:t' }, { id: c, uses: 'tool:t' }]";

  it('goes round only where it says how often', () => {
    expect(
      faultsOf(
        graph(nodes, 'edges:', '  - { from: a, to: b }', '  - { from: b, to: a }', '  - { from: c, to: c }'),
      ),
    ).toEqual([
      '6:5 edges.1: a -> b -> a goes round without end; say at the edge that goes back how often: atMost: 3',
      '7:5 edges.2: c -> c goes round without end; say at the edge that goes back how often: atMost: 3',
    ]);
    expect(
      faultsOf(
        graph(
          nodes,
          'edges:',
          '  - { from: a, to: b }',
          '  - { from: b, to: a, atMost: 2 }',
          '  - { from: c, to: c, atMost: 1 }',
        ),
      ),
    ).toEqual([]);
  });

  it('says how often on ways back alone', () => {
    expect(faultsOf(graph(nodes, 'edges:', '  - { from: a, to: b, atMost: 2 }'))).toEqual([
      '5:31 edges.0.atMost: is for an edge that goes back, and no way leads from "b" to "a"; leave it out',
    ]);
  });

  it('leads between nodes that there are, and sets state that there is', () => {
    expect(
      faultsOf(
        graph(
          'state: { text: 1, toString: 2 }',
          "nodes: [{ id: a, uses: 'tool:t', set: { txt: 1, text: '${{ output }}' }, with: { x: '${{ state.tekst }}${{ output }}${{ steps.a }}' } }, { id: b, uses: 'tool:t' }]",
          'edges:',
          '  - { from: a, to: b, atMost: 2 }',
          '  - { from: a, to: bb }',
          "  - { from: b, to: a, if: 'visit' }",
        ),
      ),
    ).toEqual([
      '3:29 state.toString: "toString" is reserved; choose another name',
      '4:41 nodes.0.set.txt: there is no "txt" in state, which says what there is; did you mean text?',
      '4:90 nodes.0.with.x: there is no state "tekst"; did you mean text?',
      '4:108 nodes.0.with.x: "output" stands for nothing here; there are inputs, state, nodes, visit',
      '4:121 nodes.0.with.x: "steps" stands for nothing here; there are inputs, state, nodes, visit',
      '7:20 edges.1.to: there is no node "bb"; did you mean b?',
      '8:27 edges.2.if: must be one expression and nothing beside it: ${{ … }}',
    ]);
  });
});

it('knows which keys `with` may have, whatever expressions stand in it', () => {
  const text = steps(
    '  - id: a',
    '    uses: ask',
    '    with: { messge: "${{ 1 }}", subject: "${{ 1 }}" }',
    '  - id: b',
    '    uses: ask',
    '    with: { message: "${{ 1 }}", fields: "${{ 1 }}", expireAfter: soon }',
    '  - id: c',
    '    uses: ask',
    '    with: { message: Go on?, fields: [{ nam: x, title: "${{ 1 }}" }] }',
  );
  const told = faultsOf(text).map((line) => line.slice(line.indexOf(' ') + 1));
  expect(told).toEqual([
    'steps.0.with: "message" is missing',
    'steps.0.with.messge: there is no "messge" here; did you mean message?',
    'steps.1.with.expireAfter: must be a number and a unit, such as 90s, 30m, 2h or 3d, up to 366d',
    'steps.2.with.fields.0: "name" is missing',
    'steps.2.with.fields.0.nam: there is no "nam" here; did you mean name?',
  ]);
});
