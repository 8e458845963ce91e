import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answeredIdOf, callIdOf } from './plain-lines.ts';

const ofCall = (line: string) => callIdOf(Buffer.from(line));
const ofAnswer = (line: string) => answeredIdOf(Buffer.from(line));
const long = 'ü'.repeat(1000);

describe('the id of a call', () => {
  it.each([
    ['in front', '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a"}}', 7],
    ['in front of much', `{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"${long}"}}`, 0],
    ['behind', '{"method":"tools/call","params":{"name":"a"},"jsonrpc":"2.0","id":7}', 7],
    ['behind much', `{"method":"tools/call","params":{"name":"${long}"},"jsonrpc":"2.0","id":7}`, 7],
    ['as a text', '{"jsonrpc":"2.0","id":"a-1 b","method":"tools/call","params":{}}', 'a-1 b'],
  ])('is seen %s', (_, line, id) => {
    expect(ofCall(line)).toBe(id);
  });

  it.each([
    ['another method', '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}}'],
    ['a notification', '{"jsonrpc":"2.0","method":"tools/call","params":{}}'],
    ['an escape in the id', String.raw`{"jsonrpc":"2.0","id":"\u0061","method":"tools/call","params":{}}`],
    ['an id beyond ASCII', '{"jsonrpc":"2.0","id":"ü","method":"tools/call","params":{}}'],
    ['a fraction', '{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":{}}'],
    [
      'a number that JSON rounds',
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{}}',
    ],
    ['white space', '{ "jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}'],
    ['members of ours between', '{"jsonrpc":"2.0","id":7,"x":1,"method":"tools/call","params":{}}'],
    [
      'an id inside of a text',
      '{"method":"tools/call","params":{"a":"},\\"jsonrpc\\":\\"2.0\\",\\"id\\":7}"}}',
    ],
    ['params that are no object', '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}'],
    ['a line of rubbish', 'oops'],
    ['an empty line', ''],
  ])('is not looked for with %s', (_, line) => {
    expect(ofCall(line)).toBeUndefined();
  });

  it('is the one that reading the line gives, whatever is in it and whichever way round', () => {
    const id = fc.oneof(
      fc.integer(),
      fc.string(),
      fc.constantFrom('a', '"', '\\', '},"jsonrpc":"2.0","id":1}'),
    );
    const params = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(id, params, fc.boolean(), (given, members, isBehind) => {
        const call = { method: 'tools/call', params: members };
        const whole = isBehind
          ? { ...call, jsonrpc: '2.0', id: given }
          : { jsonrpc: '2.0', id: given, ...call };
        const seen = ofCall(JSON.stringify(whole));
        return seen === undefined || seen === given;
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the id that an answer answers', () => {
  it.each([
    ['a result', '{"jsonrpc":"2.0","id":7,"result":{"content":[]}}', 7],
    ['an error', '{"jsonrpc":"2.0","id":"a","error":{"code":-32602,"message":"no"}}', 'a'],
    ['an error for nobody', '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}', undefined],
    ['a question', '{"jsonrpc":"2.0","id":7,"method":"roots/list"}', undefined],
    ['a notification', '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}', undefined],
  ])('of %s', (_, line, id) => {
    expect(ofAnswer(line)).toBe(id);
  });
});
