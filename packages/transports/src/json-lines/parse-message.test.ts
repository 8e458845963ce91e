import { describe, expect, it } from 'vitest';
import { parseMessage } from './parse-message.ts';

const request = '"jsonrpc":"2.0","method":"m"';

describe('a good message', () => {
  it.each([
    ['a request', `{${request},"id":1}`],
    ['a request with a text id', `{${request},"id":""}`],
    ['a request with params', `{${request},"id":0,"params":{"a":[1]}}`],
    ['a notification', `{${request}}`],
    ['a result', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}'],
    ['members that MCP does not know', `{${request},"id":1,"x":{}}`],
    ['a carriage return at its end', `{${request}}\r`],
  ])('is delivered as it is: %s', (_, text) => {
    expect(parseMessage(text)).toEqual({ kind: 'message', message: JSON.parse(text) });
  });

  it.each([`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`])(
    'is an error for a request that the peer could not read, without its null id',
    (text) => {
      expect(parseMessage(text)).toEqual({
        kind: 'message',
        message: { jsonrpc: '2.0', error: { code: -32700, message: 'm' } },
      });
    },
  );

  it('keeps the last of two equal keys, as JSON.parse does', () => {
    expect(parseMessage(`{${request},"id":1,"id":2}`)).toMatchObject({ message: { id: 2 } });
  });

  it('has a __proto__ key as plain data, which lends nothing to the message', () => {
    const parsed = parseMessage(`{${request},"id":1,"params":{"__proto__":{"polluted":true}}}`);
    expect(JSON.stringify(parsed)).toContain('{"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(parseMessage(`{"__proto__":{${request},"id":1}}`)).toMatchObject({ kind: 'refused', id: null });
  });

  it('keeps a lone surrogate through reading and writing', () => {
    const text = `{${request},"id":"\\ud800"}`;
    const parsed = parseMessage(text);
    expect(parsed).toMatchObject({ message: { id: '\ud800' } });
    expect(JSON.stringify(parsed)).toContain('\\ud800');
  });

  it('may be nested 1000 levels deep', () => {
    const deep = (levels: number) => `{${request},"id":1,"params":{"a":${nested(levels - 2)}}}`;
    expect(parseMessage(deep(1000))).toMatchObject({ kind: 'message' });
    expect(parseMessage(deep(1001))).toMatchObject({ kind: 'refused', error: { code: -32600 } });
  });

  it('may hold any number of brackets in its texts', () => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'm', params: { a: '["\\'.repeat(5000) } });
    expect(parseMessage(text)).toEqual({ kind: 'message', message: JSON.parse(text) });
  });
});

describe('a faulty request', () => {
  it.each([
    ['no JSON', 'hello', null, -32700],
    ['JSON cut off', `{${request},"id":1`, null, -32700],
    ['a batch', `[{${request},"id":1}]`, null, -32600],
    ['an empty batch', '[]', null, -32600],
    ['null', 'null', null, -32600],
    ['a number', '1', null, -32600],
    ['an empty object', '{}', null, -32600],
    ['only an id', '{"jsonrpc":"2.0","id":9}', 9, -32600],
    ['no version', '{"id":1,"method":"m"}', 1, -32600],
    ['the wrong version', '{"jsonrpc":"1.0","id":1,"method":"m"}', 1, -32600],
    ['the version as a number', '{"jsonrpc":2.0,"id":1,"method":"m"}', 1, -32600],
    ['no version and no id', '{"method":"m"}', null, -32600],
    ['a method that is no text', '{"jsonrpc":"2.0","id":"a","method":1}', 'a', -32600],
    ['a null method', '{"jsonrpc":"2.0","id":"a","method":null}', 'a', -32600],
    ['a null id', `{${request},"id":null}`, null, -32600],
    ['an object as id', `{${request},"id":{}}`, null, -32600],
    ['a boolean id', `{${request},"id":true}`, null, -32600],
    ['a fractional id', `{${request},"id":1.5}`, 1.5, -32600],
    ['an id that JSON numbers round', `{${request},"id":12345678901234567890}`, null, -32600],
    ['an id out of range', `{${request},"id":1e999}`, null, -32600],
    ['a result beside its method', `{${request},"id":1,"result":{}}`, 1, -32600],
    ['params as an array', `{${request},"id":1,"params":[1]}`, 1, -32602],
    ['params as text', `{${request},"id":1,"params":"a"}`, 1, -32602],
    ['null params', `{${request},"id":1,"params":null}`, 1, -32602],
  ])('is refused with the id where one can be read: %s', (_, text, id, code) => {
    expect(parseMessage(text)).toMatchObject({ kind: 'refused', id, error: { code } });
  });

  it('is told what was received instead', () => {
    expect(parseMessage(`{${request},"id":1,"params":[1]}`)).toMatchObject({
      error: { message: 'params must be an object, received array' },
    });
  });

  it('is refused quickly, and with its id, when it is nested beyond reason', () => {
    const text = `{"jsonrpc":"2.0","id":5,"method":"m","params":{"a":${nested(4_000_000)}}}`;
    expect(parseMessage(text)).toMatchObject({
      kind: 'refused',
      id: 5,
      error: {
        message: expect.stringMatching(/1000 levels deep; ask for a part of it, or have it sent as one text/),
      },
    });
  });
});

describe('a faulty message that nobody waits for', () => {
  it.each([
    ['a notification with params as an array', `{${request},"params":[]}`],
    ['a notification with a result', `{${request},"result":{}}`],
    [
      'a result and an error at once',
      '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}',
    ],
    ['a result that is no object', '{"jsonrpc":"2.0","id":1,"result":1}'],
    ['a result without an id', '{"jsonrpc":"2.0","result":{}}'],
    ['a result for a null id', '{"jsonrpc":"2.0","id":null,"result":{}}'],
    ['a response of another version', '{"id":1,"result":{}}'],
    ['an error without a code', '{"jsonrpc":"2.0","id":1,"error":{"message":"m"}}'],
    ['an error that is text', '{"jsonrpc":"2.0","id":1,"error":"m"}'],
    ['an error for an object as id', '{"jsonrpc":"2.0","id":{},"error":{"code":1,"message":"m"}}'],
  ])('is dropped with the reason, not answered: %s', (_, text) => {
    expect(parseMessage(text)).toMatchObject({ kind: 'dropped', reason: expect.stringMatching(/\w/) });
  });
});

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

describe('a number that JavaScript would round', () => {
  const call = (args: string) =>
    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","arguments":${args}}}`;

  it('refuses the call that has it among its arguments, by where it is', () => {
    expect(parseMessage(call('{"user":{"id":9007199254740993}}'))).toMatchObject({
      kind: 'refused',
      id: 7,
      error: { code: -32602, message: expect.stringMatching(/arguments\.user\.id.*as a string/) },
    });
    expect(parseMessage(call('{"user":{"id":"9007199254740993"}}'))).toMatchObject({ kind: 'message' });
    expect(parseMessage(call('{"user":{"id":9007199254740991}}'))).toMatchObject({ kind: 'message' });
  });

  it('refuses the call, whatever stands before its arguments, and however their name is written', () => {
    const many = Array.from({ length: 20 }, () => 9007199254740993n).join();
    const before = call('{"id":9007199254740993}').replace('"name"', `"_meta":{"n":[${many}]},"name"`);
    expect(parseMessage(before)).toMatchObject({ kind: 'refused' });
    const escaped = call('{"id":9007199254740993}').replace('arguments', 'arg\\u0075ments');
    expect(parseMessage(escaped)).toMatchObject({ kind: 'refused' });
  });

  it('refuses no call for what stands beside its arguments and is none of them', () => {
    const beside = (args: string, more: string) =>
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t"${args},${more}}}`;
    const stamp = '"_meta":{"startTimeUnixNano":1764153437123456789}';
    expect(parseMessage(beside('', stamp))).toMatchObject({ kind: 'message' });
    expect(
      parseMessage(beside(',"arguments":{"a":1}', `${stamp},"sentAtNs":1764153437123456789`)),
    ).toMatchObject({
      kind: 'message',
    });
    // It may be an argument where none stand in their place.
    expect(parseMessage(beside(',"arguments":{}', '"id":9007199254740993'))).toMatchObject({
      kind: 'refused',
    });
  });

  it.each([
    [',"arguments":{"a":1,"a":2}', 'arguments.a'],
    [',"arguments":{"arguments":{"x":{"a":1,"a":1}}}', 'arguments.arguments.x.a'],
    [',"a":1,"a":2', 'a'],
    [',"arguments":{"a":1},"arguments":{"a":2}', 'arguments'],
  ])('refuses a call whose arguments have a key twice: %s', (args, key) => {
    const text = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t"${args}}}`;
    const message = `"${key}" stands twice, and only one of its values would be taken: send it once`;
    expect(parseMessage(text)).toEqual({ kind: 'refused', id: 7, error: { code: -32602, message } });
    expect(parseMessage(text.replace('tools/call', 'ping'))).toMatchObject({ kind: 'message' });
  });

  it.each([
    ['method', -32600, '"method":"ping","method":"tools/call","params":{"name":"t"}'],
    ['method', -32600, '"method":"tools/call","method":"ping"'],
    ['params', -32600, '"method":"tools/call","params":{"name":"t"},"params":{"name":"u"}'],
    ['id', -32600, '"id":7,"method":"tools/call","params":{"name":"t"}'],
    ['name', -32602, '"method":"tools/call","params":{"name":"t","name":"u","arguments":{"a":1}}'],
    [
      '_meta.progressToken',
      -32602,
      '"method":"tools/call","params":{"_meta":{"progressToken":1,"progressToken":2}}',
    ],
  ])('refuses a call that has %s twice beside its arguments', (key, code, members) => {
    const parsed = parseMessage(`{"jsonrpc":"2.0","id":7,${members}}`);
    const message = expect.stringContaining(`"${key}" stands twice`);
    expect(parsed).toMatchObject({ kind: 'refused', id: 7, error: { code, message } });
  });

  it('is stated beside the result that has it', () => {
    const result =
      '{"jsonrpc":"2.0","id":7,"result":{"_meta":{"own":1},"structuredContent":{"ids":[9007199254740993]}}}';
    expect(parseMessage(result)).toMatchObject({
      message: { result: { _meta: { own: 1, 'nexus/rounded': ['structuredContent.ids.0'] } } },
    });
  });

  it.each([
    ['{"row":{"id":9007199254740993}}', 'data.row.id'],
    ['[1,0.123456789012345678]', 'data.1'],
    ['9007199254740993', 'data'],
  ])('is stated in the words of the error that has it: %s', (data, path) => {
    const error = `{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"No row.","data":${data}}}`;
    expect(parseMessage(error)).toMatchObject({
      message: { error: { code: -32000, message: `No row. (not as it was sent, but rounded: ${path})` } },
    });
  });

  it('makes no error of what is none', () => {
    const error = '{"jsonrpc":"2.0","id":7,"error":{"code":1,"data":9007199254740993}}';
    expect(parseMessage(error)).toMatchObject({ kind: 'dropped' });
  });

  it.each(['1e400', '9007199254740993.0', '0.123456789012345678'])('refuses a call with %s', (written) => {
    expect(parseMessage(call(`{"a":${written}}`))).toMatchObject({ kind: 'refused' });
  });

  it.each(['0.30000000000000004', '1.10', '1e3', '1.2e308', '0.10000000000000001'])(
    'takes a call with %s, which any number of 64 bits may be written as',
    (written) => {
      expect(parseMessage(call(`{"a":${written}}`))).toMatchObject({ kind: 'message' });
    },
  );

  it('is no fault of a request that says what numbers there may be', () => {
    const asked = `{${request},"id":1,"params":{"requestedSchema":{"maximum":9223372036854775807}}}`;
    expect(parseMessage(asked)).toMatchObject({ kind: 'message' });
  });
});
