import { expect, it } from 'vitest';
import { decodeText } from './decode-text.ts';

const TEXT = 'Grüße aus Köln\nund ein € mehr\n';

function wide(
  text: string,
  { unit, order, mark }: { unit: 2 | 4; order: 'LE' | 'BE'; mark: boolean },
): Buffer {
  const points = [...(mark ? '\ufeff' : ''), ...text].map((each) => each.codePointAt(0) ?? 0);
  const bytes = Buffer.alloc(points.length * unit);
  for (const [at, point] of points.entries()) {
    if (order === 'LE') bytes.writeUIntLE(point, at * unit, unit);
    else bytes.writeUIntBE(point, at * unit, unit);
  }
  return bytes;
}

const WIDE = ([2, 4] as const).flatMap((unit) =>
  (['LE', 'BE'] as const).flatMap((order) => [true, false].map((mark) => ({ unit, order, mark }))),
);

it.each(WIDE)('text of $unit bytes a character is read, $order, with a mark: $mark', (form) => {
  const { unit, order, mark } = form;
  const isKnown = unit === 2 && mark;
  const readAs = isKnown ? {} : { readAs: `UTF-${unit * 8}${order}` };
  expect(decodeText(wide(TEXT, form))).toEqual({ text: TEXT, ...readAs });
});

it('UTF-8 is read without its mark, and nothing is said of it', () => {
  expect(decodeText(Buffer.from(`\ufeff${TEXT}`))).toEqual({ text: TEXT });
  expect(decodeText(Buffer.alloc(0))).toEqual({ text: '' });
});

it('a few bytes that are no UTF-8 leave the rest as it is; many are Latin-1', () => {
  const faulty = Buffer.concat([Buffer.from('äöü '), Buffer.from([0xff])]);
  expect(decodeText(faulty)).toEqual({ text: 'äöü \ufffd', readAs: 'faulty UTF-8' });
  const latin = Buffer.from('Grüße aus Köln\n', 'latin1');
  expect(decodeText(latin)).toEqual({ text: 'Grüße aus Köln\n', readAs: 'Windows-1252' });
});

it.each([
  ['a NUL in a text', Buffer.from('let a;\0')],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')],
  ['small numbers of two bytes', Buffer.from(Uint16Array.from({ length: 200 }, (_, at) => at % 60).buffer)],
  ['small numbers of four bytes', Buffer.from(Uint32Array.from({ length: 99 }, (_, at) => at).buffer)],
  ['NULs', Buffer.alloc(64)],
])('no text is %s', (_, bytes) => {
  expect(decodeText(bytes)).toBeUndefined();
});
