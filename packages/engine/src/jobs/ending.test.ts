import { AnsweredError, ProtocolError } from '@nexus/core';
import { expect, it } from 'vitest';
import { endingOf, resultOf } from './ending.ts';

it.each([['a text'], [7], [{ a: 1 }], [undefined]])(
  'keeps the data of a JSON-RPC error, whatever it is: %j',
  async (data) => {
    const ending = await endingOf(Promise.reject(new ProtocolError(-32042, 'no', data)));
    const kept = JSON.parse(JSON.stringify(ending));
    expect(() => resultOf(kept)).toThrow(expect.objectContaining({ code: -32042, message: 'no', data }));
  },
);

it('keeps which server answered with it', async () => {
  const thrown = new AnsweredError('dev/fs', { code: -32602, message: 'no', data: undefined });
  const kept = JSON.parse(JSON.stringify(await endingOf(Promise.reject(thrown))));
  expect(() => resultOf(kept)).toThrow(AnsweredError);
  expect(() => resultOf(kept)).toThrow(expect.objectContaining({ whose: 'dev/fs', code: -32602 }));
});
