import { describe, expect, it } from 'vitest';
import { effortOf, leastOf } from './least.ts';
import { packageFiles, sizes, taskOf } from './tasks.ts';

const FILE = { path: 'a.js', text: 'const a = 1;\n', line: { text: 'const a = 1;', number: 1 }, mended: 'b' };

describe('the least that work needs', () => {
  it('has a call for what is read, and one for what is edited, each with all that came before', () => {
    const told = leastOf([{ prompt: 'Look.' }], []);
    expect(told.calls).toBe(1);
    const read = leastOf([{ prompt: 'Look.', reads: [FILE] }], []);
    expect(read.calls).toBe(2);
    expect(read.inputTokens).toBeGreaterThan(2 * told.inputTokens);
    const edited = leastOf([{ prompt: 'Look.', reads: [FILE], edits: 'a to b' }], []);
    expect(edited.calls).toBe(3);
    expect(edited.inputTokens).toBeGreaterThan(read.inputTokens + told.inputTokens);
  });

  it('is the sum of its conversations, of which only one that reads is told of tools', () => {
    const kit = [{ name: 'read_file', description: 'Reads a file.', input_schema: {} }];
    const one = leastOf([{ prompt: 'Look.' }], kit);
    expect(one).toEqual(leastOf([{ prompt: 'Look.' }], []));
    const two = leastOf([{ prompt: 'Look.' }, { prompt: 'Look.' }], kit);
    expect(two).toEqual({ calls: 2, inputTokens: 2 * one.inputTokens });
  });
});

describe('what requests come to', () => {
  const body = (words: string, mark?: object) => ({
    ...{ model: 'm', system: [{ type: 'text', text: 'You look at what there is.', ...mark }] },
    messages: [{ role: 'user', content: words }],
  });

  it('is new only from where a request goes on otherwise than any earlier one', () => {
    const [first, other] = [effortOf([body('one')]), effortOf([body('one'), body('two')])];
    expect(first.newTokens).toBe(first.inputTokens);
    expect(other).toMatchObject({ calls: 2, inputTokens: 2 * first.inputTokens });
    expect(other.newTokens - first.newTokens).toBeLessThan(first.inputTokens / 2);
  });

  it('is the same with the marks for a cache, which no model reads', () => {
    const marked = body('one', { cache_control: { type: 'ephemeral' } });
    expect(effortOf([body('one'), marked])).toEqual(effortOf([body('one'), body('one')]));
  });
});

it('has tasks of each size whose lines stand once in files of the package', () => {
  const tree = packageFiles();
  const tasks = sizes.map((size) => taskOf(size, tree));
  expect(tasks.map(({ files }) => files.length)).toEqual([1, 2, 4]);
  for (const { path, text, line } of tasks.flatMap(({ files }) => files)) {
    expect({ path, times: text.split(line.text).length - 1 }).toEqual({ path, times: 1 });
    expect(text.split('\n')[line.number - 1]).toBe(line.text);
  }
});
