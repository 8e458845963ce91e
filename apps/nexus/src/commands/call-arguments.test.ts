import { describe, expect, it } from 'vitest';
import { callArguments } from './call-arguments.ts';

const files: Readonly<Record<string, string>> = {
  'a.txt': 'line\n',
  'a.json': '{"query": "x"}',
  'list.json': '[1]',
  'twice.json': '{"a": {"b": 1, "b": 2}}',
};
const schema = {
  properties: {
    query: { type: 'string' },
    limit: { type: 'integer' },
    either: { type: ['number', 'string'] },
    mode: { enum: ['1', '2'] },
    any: { anyOf: [{ type: 'number' }, { type: 'string' }] },
    ops: { type: 'array' },
  },
};
const source = {
  schema,
  readFile(path: string) {
    const text = files[path];
    if (text === undefined) throw new Error('ENOENT');
    return text;
  },
  readStdin: () => '{"query": "from stdin"}',
};

describe('callArguments', () => {
  it.each([
    [[], {}],
    [['{"a": [1, "x"]}'], { a: [1, 'x'] }],
    [['query=two words', 'limit=5', 'unknown=true'], { query: 'two words', limit: 5, unknown: true }],
    [['query=404', 'either=1', 'mode=1', 'any=2'], { query: '404', either: '1', mode: '1', any: '2' }],
    [['query={"a":1}', 'query2={"a":1}'], { query: '{"a":1}', query2: { a: 1 } }],
    [['ops=[{"tool":"x"}]', 'url=http://h/?a=b'], { ops: [{ tool: 'x' }], url: 'http://h/?a=b' }],
    [['either:=1', 'query:=null'], { either: 1, query: null }],
    [['id="5"', 'empty='], { id: '5', empty: '' }],
    [['query=@a.txt', 'ops:=@list.json'], { query: 'line\n', ops: [1] }],
    [['query={"a":1,"a":2}'], { query: '{"a":1,"a":2}' }],
    [['query=@@all'], { query: '@all' }],
    [['@a.json'], { query: 'x' }],
    [['-'], { query: 'from stdin' }],
    [['__proto__=1'], JSON.parse('{"__proto__": 1}')],
  ])('reads %j', (words, expected) => {
    expect(callArguments(words, source)).toEqual(expected);
  });

  it.each([
    [['query'], '"query" is none of: key=value'],
    [['=x'], '"=x" is none of'],
    [['{"a":'], 'what was given is no JSON'],
    [['@list.json'], 'list.json must be a JSON object'],
    [['limit:=five'], 'the value of limit is no JSON'],
    [['query=a', 'query=b'], 'what was given has "query" twice'],
    [['ops:=[]', 'ops=[]'], 'what was given has "ops" twice'],
    [['{"toolbox":"d","tool":"put","tool":"delete"}'], 'what was given has "tool" twice'],
    [['@twice.json'], 'twice.json has "a.b" twice'],
    [['unknown={"f":"a","f":"b"}'], 'the value of unknown has "f" twice'],
    [['unknown:={"f":"a","f":"b"}'], 'the value of unknown has "f" twice'],
    [['query=@none'], 'the file "none" can\'t be read: ENOENT'],
  ])('refuses %j', (words, message) => {
    expect(() => callArguments(words, source)).toThrow(message);
  });
});

it('refuses a number that would be rounded, by where it is, and keeps it as text where no JSON was asked for', () => {
  const files = { readFile: () => '', readInput: () => '' };
  const rounded = 'ids:=[9007199254740993]';
  expect(() => callArguments([rounded], files as never)).toThrow(/the value of ids at 0.*as a string/);
  expect(callArguments(['id=9007199254740993'], files as never)).toEqual({ id: '9007199254740993' });
});
