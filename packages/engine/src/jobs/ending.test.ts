import { ProtocolError } from '@nexus/core';
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
