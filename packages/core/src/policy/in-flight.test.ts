import { expect, it } from 'vitest';
import { createInFlight, type InFlight, sizeInChars } from './in-flight.ts';

const enter = (inFlight: InFlight, args: unknown) => inFlight.enter(sizeInChars(args));

const refusal = (message: RegExp) =>
  expect.objectContaining({
    code: 'NEXUS_RATE_LIMITED',
    message: expect.stringMatching(message),
    detail: { retryAfterMs: expect.any(Number) },
  });

it('lets as many calls in as may run, and another as soon as one has ended', () => {
  const inFlight = createInFlight({ callsInFlight: 2, argumentCharsInFlight: 1_000 });
  const leave = enter(inFlight, {});
  enter(inFlight, {});
  expect(() => enter(inFlight, {})).toThrow(refusal(/2 calls.*limits\.callsInFlight.*100 ms/));
  leave();
  enter(inFlight, {});
  expect(() => enter(inFlight, {})).toThrow();
});

it('counts what the arguments hold, nested ones and keys too, and gives it back', () => {
  const inFlight = createInFlight({ callsInFlight: 100, argumentCharsInFlight: 1_000 });
  const leave = enter(inFlight, { list: [{ text: 'x'.repeat(900) }] });
  expect(() => enter(inFlight, { text: 'x'.repeat(100) })).toThrow(refusal(/argumentCharsInFlight \(1000\)/));
  expect(() => enter(inFlight, { ['k'.repeat(100)]: 1 })).toThrow();
  leave();
  expect(() => enter(inFlight, { text: 'x'.repeat(100) })).not.toThrow();
});

it('never refuses a call that is alone', () => {
  const inFlight = createInFlight({ callsInFlight: 1, argumentCharsInFlight: 10 });
  expect(() => enter(inFlight, { text: 'x'.repeat(5_000) })).not.toThrow();
});

it('looks through a value that is nested deeper than the stack', () => {
  let value: unknown = 'x';
  for (let depth = 0; depth < 50_000; depth++) value = [value];
  const inFlight = createInFlight({ callsInFlight: 9, argumentCharsInFlight: 1_000 });
  enter(inFlight, value);
  expect(() => enter(inFlight, { a: 1 })).toThrow();
});

it('has its whole limit again after each call, and lets arguments fill it to the last character', () => {
  const inFlight = createInFlight({ callsInFlight: 9, argumentCharsInFlight: 24 });
  for (let call = 0; call < 3; call++) {
    const leave = enter(inFlight, {});
    const others = [enter(inFlight, {}), enter(inFlight, {})];
    expect(() => enter(inFlight, {})).toThrow(refusal(/argumentCharsInFlight \(24\)/));
    for (const end of [leave, ...others]) end();
  }
});

it('takes arguments that hold nothing at a place', () => {
  const inFlight = createInFlight({ callsInFlight: 1, argumentCharsInFlight: 10 });
  expect(() => enter(inFlight, { text: null })).not.toThrow();
});

it('counts a list by its items, and of an object the names too', () => {
  expect(sizeInChars([1, 'xyz'])).toBe(8 + 8 + 3);
  expect(sizeInChars({ ab: [null] })).toBe(8 + 2 + 8 + 8);
});
