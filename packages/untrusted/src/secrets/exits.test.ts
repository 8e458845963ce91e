import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { holdSecrets, redactJson, redactorFor, redactText, redactValue } from './index.ts';

const releases: (() => void)[] = [];
afterEach(() => {
  for (const release of releases.splice(0)) release();
});
const hold = (...values: string[]) => void releases.push(holdSecrets(values));

/** Values without a form of their own: only that they are in force gives them away. */
const secrets = fc.string({ minLength: 10, maxLength: 40 }).filter((text) => /^[^\s*\\"\p{C}]+$/u.test(text));
const around = fc.string({ maxLength: 10 }).filter((text) => !text.includes('*'));

/** The shapes in which a value leaves a program; each holds the secret as text. */
const SHAPES: Readonly<Record<string, (text: string) => unknown>> = {
  'a text': (text) => text,
  'nested objects': (text) => ({ a: [{ b: { c: [text] } }] }),
  'a key': (text) => ({ [text]: 1 }),
  'an error': (text) => new Error(text),
  'the cause of a cause': (text) => new Error('a', { cause: new Error('b', { cause: new TypeError(text) }) }),
  'a cause that is no error': (text) => new Error('a', { cause: { told: text } }),
  'one of several errors': (text) => new AggregateError([new Error('a'), new Error(text)], 'both failed'),
  'a property of an error': (text) => Object.assign(new Error('a'), { stderr: [text] }),
  'a map': (text) =>
    new Map<unknown, unknown>([
      ['a', text],
      [text, new Set([text])],
    ]),
  bytes: (text) => ({ body: Buffer.from(text), view: new TextEncoder().encode(text) }),
  'a URL': (text) => new URL(`https://a.example/?q=${encodeURIComponent(text)}`),
  headers: (text) => new Headers({ 'x-a': encodeURIComponent(text) }),
  'what toJSON answers': (text) => ({ toJSON: () => ({ deep: text }) }),
  'a class with fields': (text) =>
    new (class Fields {
      readonly told = text;
    })(),
};

describe('a secret in force', () => {
  it.each(Object.entries(SHAPES))('is not in what is logged of %s', (_, shape) => {
    fc.assert(
      fc.property(secrets, around, around, (secret, before, after) => {
        hold(secret);
        const written = JSON.stringify(redactValue({ field: shape(`${before} ${secret} ${after}`) }));
        expect(written).not.toContain(secret);
        expect(written).not.toContain(encodeURIComponent(secret));
        expect(written).not.toContain(JSON.stringify([...Buffer.from(secret)]).slice(1, -1));
      }),
      { numRuns: 50 },
    );
  });

  it('is not in a text or an answer, however it is written there', () => {
    fc.assert(
      fc.property(secrets, around, around, (secret, before, after) => {
        hold(secret);
        const bytes = Buffer.from(secret);
        for (const written of [
          secret,
          encodeURIComponent(secret),
          bytes.toString('base64'),
          bytes.toString('base64url'),
          bytes.toString('hex'),
        ]) {
          const text = `${before} ${written} ${after}`;
          expect(redactText(text)).not.toContain(written);
          expect(JSON.stringify(redactJson({ a: [{ [text]: text }] }))).not.toContain(written);
        }
      }),
    );
  });

  it('is let go by each who held it', () => {
    const [one, other] = [holdSecrets(['sesame-open-1']), holdSecrets(['sesame-open-1'])];
    one();
    one();
    expect(redactText('say sesame-open-1')).toBe('say ********');
    other();
    expect(redactText('say sesame-open-1')).toBe('say sesame-open-1');
  });

  it('is masked for one server from six characters on, and for nobody else', () => {
    const mask = redactorFor(['pass12']);
    expect(mask('with pass12')).toBe('with ********');
    expect(redactText('with pass12')).toBe('with pass12');
  });
});

describe('what has the form of a secret', () => {
  const token = `hvs.${'aB3dE5fG7h'.repeat(4)}`;

  it.each([
    [`vault said ${token}, no`, 'vault said ********, no'],
    [`ghp_${'aB3dE5fG7h'.repeat(4)}\n${token}`, '********\n********'],
    ['got https://ada:s3cr3t@db.example/x', 'got https://ada:********@db.example/x'],
    ['header was Bearer 9fKq2LmXw81ZtR4uVb7NcQd5.', 'header was Bearer ********.'],
    [`-----BEGIN PRIVATE ${'KEY'}-----\nMIIabc\n-----END PRIVATE KEY-----\nnext`, '********\nnext'],
    ['token: Invalid input: expected string, received undefined', undefined],
    ['the password is too short', undefined],
    ['class sk-button-primary-large-left', undefined],
  ])('is masked in a text: %s', (text, expected = text) => {
    expect(redactText(text)).toBe(expected);
  });

  it('is masked under a key that names one, which says more than the value', () => {
    expect(
      redactValue({ password: 'abc', tokenFile: '/run/t', tokens: 5, auth: { accessToken: ['x'] } }),
    ).toEqual({
      password: '********',
      tokenFile: '/run/t',
      tokens: 5,
      auth: { accessToken: ['********'] },
    });
  });

  it('costs no more than the length of the text, whatever it is made of', () => {
    const pieces = [
      'sk-',
      'eyJ',
      'a://',
      'password ',
      'token=',
      'xapp-1-A-1-',
      '-----BEGIN A ',
      'discord.com/api/webhooks/1',
    ];
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(200_000 / piece.length));
      expect(redactText(text).length).toBeGreaterThan(0);
    }
  });
});

describe('redactJson', () => {
  it('keeps what is no secret', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: fc.constantFrom('a', 'b', ' ', 'é') }), (value) => {
        expect(redactJson(value)).toEqual(value);
      }),
    );
  });
});
