// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions are written like that
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { evaluate } from './evaluate.ts';
import { type Expression, ExpressionFault, PRECEDENCE } from './expression.ts';
import { functions } from './functions.ts';
import { parseExpression } from './parse.ts';
import { printExpression } from './print.ts';
import { aloneIn, parseText, template } from './template.ts';
import { MAX_VALUE_SIZE } from './values.ts';
import { MAX_WORK, Work } from './work.ts';

const scope = {
  inputs: { name: 'world', count: 3, list: [1, 2, { a: 'x' }], none: null, text: "it's ${{ inputs.count }}" },
  steps: { 'find-all': { output: { total: 2, hits: [{ file: 'a.ts' }, { file: 'b.ts' }] } } },
};

const value = (source: string) => evaluate(parseExpression(source), scope, new Work());

describe('an expression', () => {
  it.each([
    ['inputs.count', 3],
    ["inputs['count']", 3],
    ['inputs.list[2].a', 'x'],
    ['inputs.list[-1]', null],
    ['steps.find-all.output.total', 2],
    ['nothing.at.all[0]', null],
    ["'it''s'", "it's"],
    ['-1.5e1', -15],
    ['inputs.count > 2 && !inputs.none', true],
    ["inputs.none || 'other'", 'other'],
    ['inputs.count >= 3 ? 1 : 2', 1],
    ['1 == 2 != true', true],
    ["inputs.count < 'a'", false],
    ["'b' > 'a'", true],
    ['inputs.list == inputs.list', true],
    ["join(pluck(steps.find-all.output.hits, 'file'), ', ')", 'a.ts, b.ts'],
    ["length(where(steps.find-all.output.hits, 'file', 'a.ts'))", 1],
    ["contains(inputs.list, 2) && contains(inputs.name, 'or') && contains(inputs, 'name')", true],
    ["split('a,b', ',')", ['a', 'b']],
    ["split('a', '')", null],
    ["slice('abcd', 1, 3)", 'bc'],
    ['slice(inputs.list, 2)', [{ a: 'x' }]],
    ['first(inputs.list)', 1],
    ['last(split(inputs.name, "o"))'.replaceAll('"', "'"), 'rld'],
    ['keys(inputs.list[2])', ['a']],
    ['values(inputs.list[2])', ['x']],
    ["unique(split('a,b,a', ','))", ['a', 'b']],
    ["flatten(fromJson('[[1],[2]]'))", [1, 2]],
    ["default(inputs.none, 'd')", 'd'],
    ["number(' 4.5 ')", 4.5],
    ["number('')", null],
    ['toJson(inputs.list)', '[1,2,{"a":"x"}]'],
    ["fromJson('{')", null],
    ["upper('a') == 'A' && lower('A') == trim(' a ')", true],
    ["startsWith(inputs.name, 'wo') && endsWith(inputs.name, 'ld')", true],
    ['length(inputs)', 5],
    ['length(inputs.count)', 0],
  ])('%s comes to %j', (source, expected) => {
    expect(value(source)).toEqual(expected);
  });

  it.each([
    ['a +', /"\+" means nothing here/, 2],
    ['"a"', /single quotes/, 0],
    ["'a", /not closed/, 0],
    ['a b', /"b" where an operator or the end is wanted/, 2],
    ['lenght(a)', /no function "lenght"; did you mean length\?/, 0],
    ['length()', /takes 1 \(value\), not 0/, 0],
    ['a[', /ends where a value is wanted/, 2],
    ['a ? b', /ends where : after/, 5],
    ['a.1', /1 where a name is wanted/, 2],
    ['', /ends where a value is wanted/, 0],
    ['1e999', /too large a number/, 0],
    ['`a`', /"`" means nothing/, 0],
    ['a => b', /"=" means nothing/, 2],
    ['process.exit()', /"\(" where an operator/, 12],
    ['(function(){})()', /"\{" means nothing/, 11],
  ])('%s is a fault where it is wrong', (source, message, at) => {
    expect(() => parseExpression(source)).toThrow(
      expect.objectContaining({ at, message: expect.stringMatching(message) }),
    );
  });

  it.each(['(', '!', 'a[', 'length(', 'a?', 'a?b:', 'a.', 'a||', 'a=='])(
    'of %s over and over is a fault, and no end of the stack',
    (part) => {
      for (const count of [50, 100, 600, 50_000]) {
        expect(() => parseExpression(part.repeat(count))).toThrow(ExpressionFault);
      }
    },
  );

  it.each([
    ['characters', `'${'x'.repeat(2_001)}'`, 'an expression has at most 2000 characters'],
    ['parentheses', `${'('.repeat(42)}a${')'.repeat(42)}`, 'an expression is nested at most 40 deep'],
    ['operators in a row', `a${' && a'.repeat(60)}`, 'an expression has at most 40 && in a row'],
    ['exclamation marks', `${'!'.repeat(60)}a`, 'an expression has at most 40 ! in a row'],
    ['parts of a path', `a${'.b'.repeat(60)}`, 'a path has at most 40 parts'],
  ])('of too many %s says how many it may have, and what to do', (_, source, says) => {
    expect(() => parseExpression(source)).toThrow(`${says}; have an earlier step work a part of it out`);
  });

  it.each(['__proto__', 'constructor', 'toString', 'prototype', 'hasOwnProperty', 'length'])(
    'finds nothing by the name %s that was not put there',
    (name) => {
      for (const of of ['inputs', 'inputs.list', 'inputs.name', 'inputs.count']) {
        expect(value(`${of}.${name}`)).toBe(null);
        expect(value(`${of}['${name}']`)).toBe(null);
        expect(value(`${of}.${name}.constructor`)).toBe(null);
      }
      expect(value(name)).toBe(null);
    },
  );

  it.each([
    ["number('9007199254740993')", /9007199254740993 would be rounded/],
    ["number(' +0.12345678901234567890123 ')", /would be rounded/],
    ["number('0x20000000000001')", /would be rounded/],
    [`fromJson('{"only":1,"only":2}')`, /the JSON has "only" twice/],
    [`fromJson('[{"a":{"b":1,"\\u0062":2}}]')`, /the JSON has "0.a.b" twice/],
  ])('that would come to another value than is written is a fault: %s', (source, message) => {
    expect(() => value(source)).toThrow(ExpressionFault);
    expect(() => value(source)).toThrow(message);
  });

  it('that makes more than a value may hold is a fault', () => {
    const big = { text: '"'.repeat(MAX_VALUE_SIZE / 3) };
    expect(() => evaluate(parseExpression('toJson(toJson(text))'), big, new Work())).toThrow(/too large/);
    let deep: unknown = [];
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    for (const source of ['toJson(deep)', 'deep == deep[0]', 'unique(deep)', 'contains(deep, deep)']) {
      expect(() => evaluate(parseExpression(source), { deep }, new Work())).toThrow(ExpressionFault);
    }
    expect(() => template('a ${{ deep }}')({ deep })).toThrow(ExpressionFault);
  });
});

describe('expressions that are worked out together', () => {
  const list = Array.from({ length: 25_000 }, (_, at) => ({ at }));

  it.each([
    ['unique(list)', { list }],
    ['list == other', { list, other: structuredClone(list) }],
    ['contains(list, none)', { list, none: { at: -1 } }],
    ['toJson(list)', { list }],
    ['fromJson(text)', { text: `[${'[],'.repeat(50_000)}[]]` }],
    ['length(split(text, separator))', { text: 'a,'.repeat(100_000), separator: ',' }],
    ['list', { list }],
  ])('share what they may take: one %s may be, twenty not', (source, given) => {
    const one = `\${{ ${source} }}`;
    expect(() => template([one])(given)).not.toThrow();
    expect(() => template(Array.from({ length: 20 }, () => one))(given)).toThrow(/too large/);
  });

  it.each([
    ['is nested deeper than any', `${'['.repeat(1_001)}${']'.repeat(1_001)}`],
    ['has more members', `{${Array.from({ length: 10_001 }, (_, at) => `"${at}":1`).join(',')}}`],
    ['has more lists', `[${'[],'.repeat(150_000)}[]]`],
  ])('are a fault before a JSON text that %s is read', (_, text) => {
    const parse = vi.spyOn(JSON, 'parse');
    try {
      expect(() => template('${{ length(fromJson(text)) }}')({ text })).toThrow(/too large/);
      expect(parse.mock.calls).toEqual([]);
    } finally {
      parse.mockRestore();
    }
  });

  it('may look at something large as often as they like where they look no further than its size', () => {
    const flat = Array.from({ length: 1_000 }, () => '${{ length(rows) > 2 && first(rows).at == 0 }}');
    expect(template(flat)({ rows: list.slice(0, 400) })).toEqual(flat.map(() => true));
  });

  it.each([
    ['join', { list: Array.from({ length: 10_000 }, () => ''), by: 'x'.repeat(10_000) }, 'join(list, by)'],
    ['split', { text: 'x'.repeat(1_000_000), by: 'x' }, 'split(text, by)'],
  ])('are a fault before %s has made what is too large', (_, given, source) => {
    expect(() => template(`\${{ ${source} }}`)(given)).toThrow(/too large/);
    expect(MAX_WORK).toBeLessThan(100_000_000);
  });
});

describe('a text with expressions', () => {
  it('keeps the type of one that stands alone, and is text around one that does not', () => {
    const fill = template({
      alone: ' ${{ inputs.list }}\n',
      among: 'n=${{ inputs.count }}; ${{ inputs.none }}${{ inputs.list }}',
      plain: '$${ {{ }}',
      nested: [{ deep: '${{ inputs.count }}' }, 4],
    });
    expect(fill(scope)).toEqual({
      alone: scope.inputs.list,
      among: 'n=3; [1,2,{"a":"x"}]',
      plain: '$${ {{ }}',
      nested: [{ deep: 3 }, 4],
    });
  });

  it('never reads what a value holds as an expression again', () => {
    expect(template('${{ inputs.text }}')(scope)).toBe("it's ${{ inputs.count }}");
    expect(template('a ${{ inputs.text }}')(scope)).toBe("a it's ${{ inputs.count }}");
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (given, around) => {
        const text = around.replaceAll('$', '');
        expect(template('${{ given }}')({ given })).toEqual(given ?? null);
        const within = typeof given === 'string' ? given : given === null ? '' : JSON.stringify(given);
        expect(template(`${text}.\${{ given }}`)({ given })).toBe(`${text}.${within}`);
      }),
    );
  });

  it('ends an expression at its }} and not at one in a text of it', () => {
    expect(template("${{ '}}' }}|${{ '''}}' }}")({})).toBe("}}|'}}");
    expect(aloneIn(parseText('${{ a }}'))).toMatchObject({ type: 'name', at: 4 });
    expect(() => parseText('x ${{ a')).toThrow(/not closed/);
  });
});

const name = fc
  .stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,8}$/)
  .filter((each) => !['true', 'false', 'null'].includes(each));
const operators = PRECEDENCE.flat();

const expression = fc.letrec<{ any: Expression }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
    fc
      .oneof(
        fc.constantFrom(true, false, null),
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => (each === 0 ? 0 : each)),
      )
      .map((each): Expression => ({ type: 'literal', value: each, at: 0 })),
    name.map((each): Expression => ({ type: 'name', name: each, at: 0 })),
    fc.record({ of: tie('any'), name }).map((each): Expression => ({ type: 'member', ...each, at: 0 })),
    fc
      .record({ of: tie('any'), index: tie('any') })
      .map((each): Expression => ({ type: 'index', ...each, at: 0 })),
    tie('any').map((of): Expression => ({ type: 'not', of, at: 0 })),
    fc
      .record({ operator: fc.constantFrom(...operators), left: tie('any'), right: tie('any') })
      .map((each): Expression => ({ type: 'binary', ...each, at: 0 })),
    fc
      .record({ condition: tie('any'), yes: tie('any'), no: tie('any') })
      .map((each): Expression => ({ type: 'choice', ...each, at: 0 })),
    fc
      .constantFrom(...Object.entries(functions))
      .chain(([called, { parameters }]) =>
        fc
          .array(tie('any'), { minLength: parameters.length, maxLength: parameters.length })
          .map((given): Expression => ({ type: 'call', name: called, arguments: given, at: 0 })),
      ),
  ),
})).any;

const withoutPlaces = (each: Expression) =>
  JSON.parse(JSON.stringify(each, (key, of) => (key === 'at' ? 0 : of)));

describe('the grammar', () => {
  it('reads what it prints as the same', () => {
    fc.assert(
      fc.property(expression, (each) => {
        const text = printExpression(each);
        fc.pre(text.length < 2_000);
        expect(withoutPlaces(parseExpression(text))).toEqual(withoutPlaces(each));
      }),
      { numRuns: 500 },
    );
  });

  it('has for any text an expression or a fault that says where', () => {
    const words = fc.constantFrom(
      ...operators,
      '!',
      '(',
      ')',
      '[',
      ']',
      '.',
      ',',
      '?',
      ':',
      "'",
      'a',
      '1',
      '-',
      ' ',
      'length',
      '}}',
      '${{',
    );
    const any = fc.oneof(
      fc.string(),
      fc.array(words, { maxLength: 60 }).map((each) => each.join('')),
    );
    fc.assert(
      fc.property(any, (text) => {
        for (const read of [parseExpression, parseText]) {
          try {
            read(text);
          } catch (error) {
            expect(error).toBeInstanceOf(ExpressionFault);
            const { at } = error as ExpressionFault;
            expect(at >= 0 && at <= text.length).toBe(true);
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives a value for every expression and scope', () => {
    fc.assert(
      fc.property(expression, fc.dictionary(name, fc.jsonValue()), (each, given) => {
        const came = evaluate(each, given, new Work());
        expect(came).not.toBe(undefined);
        expect(() => JSON.stringify(came)).not.toThrow();
      }),
      { numRuns: 1_000 },
    );
  });

  it('works out no part of an expression twice', () => {
    let reads = 0;
    const counted = new Proxy({ a: [1, 2] } as Record<string, unknown>, {
      get: (of, key) => {
        reads += 1;
        return of[String(key)];
      },
    });
    fc.assert(
      fc.property(expression, (each) => {
        reads = 0;
        const names = JSON.stringify(each).split('"type":"name"').length - 1;
        evaluate(replaceNames(each), counted, new Work());
        expect(reads).toBeLessThanOrEqual(names);
      }),
    );
  });
});

function replaceNames(each: Expression): Expression {
  return JSON.parse(JSON.stringify(each), (_, of) =>
    of?.type === 'name' ? { ...of, name: 'a' } : of,
  ) as Expression;
}
