import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { redactValue } from './redact-value.ts';

describe('redactValue', () => {
  it('takes whatever it is given, and never throws', () => {
    const cycle: Record<string, unknown> = { name: 'round' };
    cycle.self = cycle;
    const hostile = Object.defineProperty({ a: 1 }, 'b', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const shown = redactValue({
      cycle,
      hostile,
      proxy: revoked.proxy,
      big: 12n,
      at: new Date(0),
      run: () => 1,
      gone: undefined,
    });
    expect(JSON.parse(JSON.stringify(shown))).toEqual({
      cycle: { name: 'round', self: '[circular]' },
      hostile: { a: 1, b: '[unreadable]' },
      proxy: '[unreadable]',
      big: '12',
      at: '1970-01-01T00:00:00.000Z',
      run: '[function]',
    });
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withMap: true, withNullPrototype: true, withObjectString: true }),
        (value) => {
          JSON.stringify(redactValue(value));
        },
      ),
    );
  });

  it('shows what is plain as it is', () => {
    const plain = { text: 'a', number: 1.5, yes: true, none: null, list: [[], {}], inner: { a: 'b' } };
    expect(redactValue(plain)).toEqual(plain);
    expect(redactValue(undefined)).toBeUndefined();
    expect(redactValue(Symbol('a'))).toBe('Symbol(a)');
  });

  it('masks texts under the name of a secret, however deep, and nothing that is about one', () => {
    expect(
      redactValue({
        credential: { user: 'ada', file: '/run/f', pin: ['1', 2] },
        fileToken: 'abc',
        password: '',
        authorization: new Map([['scheme', 'Basic']]),
      }),
    ).toEqual({
      credential: { user: '********', file: '********', pin: ['********', 2] },
      fileToken: '********',
      password: '',
      authorization: { scheme: '********' },
    });
    const about = [
      'file',
      'path',
      'dir',
      'folder',
      'type',
      'kind',
      'name',
      'count',
      'uri',
      'url',
      'endpoint',
    ];
    const told = Object.fromEntries(
      [...about, 'ExpiresAt', 'In', 'Ms', 's'].map((end) => [`token${end}`, 'x']),
    );
    expect(redactValue(told)).toEqual(told);
  });

  it('shows an error with its type, its cause and what else it carries', () => {
    expect(redactValue(new TypeError('no'))).toStrictEqual({
      type: 'TypeError',
      message: 'no',
      stack: expect.stringContaining('redact-value.test.ts'),
    });
    const renamed = Object.assign(new Error('no', { cause: null }), { name: 'Denied', code: 7 });
    expect(redactValue(renamed)).toEqual({
      type: 'Denied',
      message: 'no',
      stack: expect.any(String),
      cause: null,
      code: 7,
    });
    expect(redactValue(new AggregateError(['one', new RangeError('two')], 'both'))).toMatchObject({
      message: 'both',
      errors: ['one', { type: 'RangeError', message: 'two' }],
    });
    const typed = Object.assign(new Error('no'), { type: 'theirs' });
    expect(redactValue(typed)).toMatchObject({ type: 'Error' });
  });

  it('shows maps, sets, headers and what has a form of its own for JSON', () => {
    expect(
      redactValue({
        map: new Map<unknown, unknown>([
          ['a', 1],
          [2, 'b'],
        ]),
        set: new Set(['a', 'b']),
        headers: new Headers({ 'x-a': 'b', authorization: 'Basic YQ==' }),
        own: { hidden: 1, toJSON: () => ['seen'] },
        url: new URL('https://a.example/b'),
        noForm: { toJSON: 'a field' },
      }),
    ).toEqual({
      map: { a: 1, 2: 'b' },
      set: ['a', 'b'],
      headers: { 'x-a': 'b', authorization: '********' },
      own: ['seen'],
      url: 'https://a.example/b',
      noForm: { toJSON: 'a field' },
    });
  });

  it('asks for the class of headers only of what says that it is one: to name it loads all of fetch', () => {
    const { Headers: real } = globalThis;
    const asked = vi.spyOn(globalThis, 'Headers', 'get').mockImplementation(() => real);
    try {
      redactValue({ a: { b: [1, new Map(), new Error('x')] } });
      expect(asked).not.toHaveBeenCalled();
      expect(redactValue({ [Symbol.toStringTag]: 'Headers', a: 1 })).toEqual({ a: 1 });
      expect(asked).toHaveBeenCalled();
    } finally {
      asked.mockRestore();
    }
  });

  it('says of bytes how many they are', () => {
    expect(redactValue([Buffer.from('abc'), new Uint16Array(2), new ArrayBuffer(5)])).toEqual([
      '[3 bytes]',
      '[4 bytes]',
      '[5 bytes]',
    ]);
  });

  it('says where a value comes back to itself, and shows twice what only stands there twice', () => {
    const outer: Record<string, unknown> = {};
    outer.inner = [{ outer }];
    expect(redactValue(outer)).toEqual({ inner: [{ outer: '[circular]' }] });
    const twice = { a: 1 };
    expect(redactValue([twice, twice])).toEqual([{ a: 1 }, { a: 1 }]);
  });

  it('shows twelve levels, and says that there are more', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 'end' : [nested(levels - 1)]);
    expect(redactValue(nested(12))).toEqual(nested(12));
    expect(JSON.stringify(redactValue(nested(13)))).toBe(`${'['.repeat(12)}"[too deep]"${']'.repeat(12)}`);
  });

  it('shows a thousand entries, and says how many more there are', () => {
    const list = Array.from({ length: 1_002 }, (_, at) => at);
    const entries = list.map((at): [string, number] => [`k${at}`, at]);
    expect(redactValue(list.slice(0, 1_000))).toEqual(list.slice(0, 1_000));
    expect(redactValue(list)).toEqual([...list.slice(0, 1_000), '[2 more]']);
    expect(redactValue(new Set(list))).toEqual([...list.slice(0, 1_000), '[2 more]']);
    const whole = Object.fromEntries(entries.slice(0, 1_000));
    expect(redactValue(whole)).toEqual(whole);
    expect(redactValue(Object.fromEntries(entries))).toEqual({ ...whole, '…': '[2 more]' });
    expect(redactValue(new Map(entries))).toEqual({ ...whole, '…': '[2 more]' });
  });

  it('shows whatever a key is, even one that stands for the prototype or is masked as another is', () => {
    const shown = redactValue(JSON.parse('{ "__proto__": { "a": 1 } }'));
    expect(JSON.stringify(shown)).toBe('{"__proto__":{"a":1}}');
    const token = (end: string) => `ghp_${'aB3dE5fG7h'.repeat(3)}aB3dE${end}`;
    expect(redactValue({ [token('1')]: 1, [token('2')]: 2 })).toEqual({ '********': 2 });
  });
});
