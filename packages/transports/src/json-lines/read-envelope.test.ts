import { describe, expect, it } from 'vitest';
import { ENVELOPE_BYTES, readEnvelope } from './read-envelope.ts';

const text = 'x'.repeat(ENVELOPE_BYTES * 2);
const read = (line: string) => readEnvelope(line, line);

describe('the envelope of a line that was not kept', () => {
  it.each([
    ['id before params', { jsonrpc: '2.0', id: 7, method: 'm', params: { text } }],
    [
      'id after params, as the TypeScript SDK writes',
      { method: 'm', params: { text }, jsonrpc: '2.0', id: 7 },
    ],
    ['id first and method last', { id: 7, params: { text }, method: 'm' }],
  ])('shows the id of a request: %s', (_, message) => {
    expect(read(JSON.stringify(message))).toEqual({ isResponse: false, id: 7 });
    expect(read(JSON.stringify(message, null, ' ').replaceAll('\n', ''))).toEqual({
      isResponse: false,
      id: 7,
    });
  });

  it('shows an id that is text with quotes in it', () => {
    const id = 'a"\\,"id":9}';
    expect(read(JSON.stringify({ method: 'm', params: { text }, id }))).toEqual({ isResponse: false, id });
  });

  it.each([
    ['an id inside params', { method: 'm', params: { text, id: 7 } }],
    ['what looks like an id inside a text', { method: 'm', params: { text: `${text},"id":7}` } }],
    ['a fractional id', { method: 'm', params: { text }, id: 1.5 }],
    ['no method at either end', { params: { text }, id: 7 }],
  ])('shows no id for %s', (_, message) => {
    expect(read(JSON.stringify(message))).toEqual({ isResponse: false, id: null });
  });

  it.each([
    ['id first', { jsonrpc: '2.0', id: 7, result: { text } }],
    ['result first', { result: { text }, jsonrpc: '2.0', id: 7 }],
    ['an error', { jsonrpc: '2.0', id: 7, error: { code: 1, message: text } }],
  ])('shows a response and its id: %s', (_, message) => {
    expect(read(JSON.stringify(message))).toEqual({ isResponse: true, id: 7 });
  });

  it('shows nothing in what is no JSON', () => {
    expect(read(text)).toEqual({ isResponse: false, id: null });
    expect(readEnvelope('{"id":1,"method":"m",', ',"id":"\\u00zz"}')).toEqual({
      isResponse: false,
      id: null,
    });
  });
});
