import { expect, it, vi } from 'vitest';
import { printResult } from './call.ts';

/** What a stream was given, where it is a terminal of 40 columns. */
function seenOn(stream: NodeJS.WriteStream, print: () => void): string {
  const columns = Object.getOwnPropertyDescriptor(stream, 'columns');
  const isTTY = Object.getOwnPropertyDescriptor(stream, 'isTTY');
  const write = vi.spyOn(stream, 'write').mockReturnValue(true);
  Object.defineProperties(stream, {
    columns: { value: 40, configurable: true },
    isTTY: { value: true, configurable: true },
  });
  try {
    print();
    return write.mock.calls.map(([text]) => text).join('');
  } finally {
    write.mockRestore();
    for (const [name, was] of Object.entries({ columns, isTTY })) {
      if (was) Object.defineProperty(stream, name, was);
      else delete (stream as unknown as Record<string, unknown>)[name];
    }
  }
}

const words = Array.from({ length: 20 }, (_, at) => 'word'.repeat(1 + (at % 3))).join(' ');
const result = { content: [{ type: 'text', text: words }] };

it('breaks what failed between words on a terminal, and leaves what was asked for to the character', () => {
  const failed = seenOn(process.stderr, () => printResult({ ...result, isError: true }));
  expect(failed.trim().split(/\s+/)).toEqual(words.split(' '));
  expect(failed.split('\n').every((row) => row.length <= 40)).toBe(true);
  expect(seenOn(process.stdout, () => printResult(result))).toBe(`${words}\n`);
});
