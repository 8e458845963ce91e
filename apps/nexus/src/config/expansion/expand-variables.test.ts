// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax itself is under test
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandVariables } from './expand-variables.ts';
import { ExpansionError } from './expansion-error.ts';
import { variableNames } from './variable.ts';

const ENVIRONMENT = { HOME: '/srv/ada', EMPTY: '', _X1: 'x', CHAIN: '${HOME}', LINES: 'a\nb' };

function failure(value: unknown, environment = {}): ExpansionError {
  try {
    expandVariables(value, environment);
  } catch (error) {
    if (error instanceof ExpansionError) return error;
    throw error;
  }
  throw new Error('nothing was missing');
}

describe('expandVariables', () => {
  it.each([
    ['a variable', '${HOME}', '/srv/ada'],
    ['a variable inside a text', 'cd ${HOME}/src', 'cd /srv/ada/src'],
    ['several', '${HOME}:${_X1}:${HOME}', '/srv/ada:x:/srv/ada'],
    ['a default where the variable is unset', '${PORT:-7333}', '7333'],
    ['no default where the variable is set', '${HOME:-/root}', '/srv/ada'],
    ['an empty string, which is set', '[${EMPTY}]', '[]'],
    ['an empty string before the default', '[${EMPTY:-x}]', '[]'],
    ['an empty default', '[${PORT:-}]', '[]'],
    ['a default with what looks like syntax', '${URL:-http://a:-b/$1?c={d}', 'http://a:-b/$1?c={d'],
    ['a value over several lines', '${LINES}', 'a\nb'],
    ['a variable among several lines', 'a\n${_X1}\nb', 'a\nx\nb'],
    ['a value with a variable in it, once', '${CHAIN}', '${HOME}'],
    ['up to the first brace where a default nests', '${PORT:-${HOME}}', '${HOME}'],
  ])('puts in %s', (_what, text, expected) => {
    expect(expandVariables(text, ENVIRONMENT)).toBe(expected);
  });

  it.each([
    ['an unclosed brace', '${HOME'],
    ['a lone dollar', 'costs $5, $HOME, $$'],
    ['no name', '${}'],
    ['lower case', '${home}'],
    ['mixed case', '${Home}'],
    ['a digit first', '${1HOME}'],
    ['a dash in the name', '${MY-HOME}'],
    ['spaces', '${ HOME }'],
    ['another way to give a default', '${HOME-x} ${HOME:=x}'],
    ['a host’s own variable', '${workspaceFolder} ${input:key} ${env:HOME}'],
    ['a default over several lines', '${PORT:-a\nb}'],
  ])('leaves %s as it is', (_what, text) => {
    expect(expandVariables(text, ENVIRONMENT)).toBe(text);
  });

  it('puts in the project’s folder where there is one', () => {
    const text = '${workspaceFolder}/${HOME} ${workspaceFolder}';
    expect(expandVariables(text, ENVIRONMENT, '/p/${HOME}')).toBe('/p/${HOME}//srv/ada /p/${HOME}');
  });

  it('goes into objects and arrays, and leaves keys and other values', () => {
    const value = { '${HOME}': ['${HOME}', 1, null, true, { a: '${_X1}' }], n: 0.5, nothing: undefined };
    expect(expandVariables(value, ENVIRONMENT)).toEqual({
      '${HOME}': ['/srv/ada', 1, null, true, { a: 'x' }],
      n: 0.5,
      nothing: undefined,
    });
  });

  it('names every missing variable with its path and the two ways to mend it', () => {
    const value = {
      toolboxes: { prod: { args: ['-y', '${TOKEN}'], env: { A: '${TOKEN}${URL}', B: '${HOME}' } } },
    };
    const error = failure(value, ENVIRONMENT);
    expect(error.missing).toEqual([
      { variable: 'TOKEN', path: 'toolboxes.prod.args.1' },
      { variable: 'TOKEN', path: 'toolboxes.prod.env.A' },
      { variable: 'URL', path: 'toolboxes.prod.env.A' },
    ]);
    expect(error.message.split('\n')[0]).toBe(
      'toolboxes.prod.args.1: the environment variable TOKEN is not set; set it, or give a default: ${TOKEN:-default}',
    );
    expect(error.expanded).toEqual({
      toolboxes: { prod: { args: ['-y', '${TOKEN}'], env: { A: '${TOKEN}${URL}', B: '/srv/ada' } } },
    });
  });
});

describe('variableNames', () => {
  it('of a text of beginnings alone are none, however many', { timeout: 5_000 }, () => {
    expect(variableNames('${A:-'.repeat(100_000))).toEqual([]);
  });

  it('finds each name once, where it is written, with or without default', () => {
    expect(variableNames('{"a": "${B}", "c": "${A:-x}${B}"} # ${lower} ${C')).toEqual(['B', 'A']);
  });
});

const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,8}$/);
/** Text rich in what the syntax is made of. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('$', '{', '}', ':-', '${', '${A}', '${B:-c}', 'A', '\n'),
      fc.string({ maxLength: 5 }),
    ),
  )
  .map((parts) => parts.join(''));

describe('expandVariables, for any value', () => {
  it('changes no text without an opened variable', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!JSON.stringify(value).includes('${'));
        expect(expandVariables(value, {})).toEqual(value);
      }),
    );
  });

  it('never fails where every variable that occurs is set', () => {
    fc.assert(
      fc.property(fc.array(text), fc.string(), (value, filling) => {
        const environment = Object.fromEntries(
          variableNames(value.join('\n')).map((each) => [each, filling]),
        );
        const all = { ...environment, A: filling, B: filling };
        expect(() => expandVariables(value, all)).not.toThrow();
      }),
    );
  });

  it('fails exactly where a variable without default is unset, and says where', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.boolean())), fc.array(name), (written, set) => {
        const value = written.map(([each, hasDefault]) => ({
          at: hasDefault ? `\${${each}:-d}` : `\${${each}}`,
        }));
        const expected = written.flatMap(([variable, hasDefault], index) =>
          hasDefault || set.includes(variable) ? [] : [{ variable, path: `${index}.at` }],
        );
        const environment = Object.fromEntries(set.map((each) => [each, '']));
        const missing =
          expected.length === 0
            ? expandVariables(value, environment) && []
            : failure(value, environment).missing;
        expect(missing).toEqual(expected);
      }),
    );
  });

  it('changes nothing more when a result without variables is expanded again', () => {
    fc.assert(
      fc.property(text, fc.stringMatching(/^[a-z]*$/), (value, filling) => {
        const environment = Object.fromEntries(variableNames(value).map((each) => [each, filling]));
        const once = expandVariables(value, environment) as string;
        fc.pre(variableNames(once).length === 0);
        expect(expandVariables(once, {})).toBe(once);
      }),
    );
  });

  it('puts a value in as it is, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string(), (filling) => {
        expect(expandVariables('<${A}>', { A: filling })).toBe(`<${filling}>`);
      }),
    );
  });
});
