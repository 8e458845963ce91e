import type { FileOfTask } from './tasks.ts';

/** A test that is there, so that the command that runs tests passes before anything is done. */
export const TEST_THERE = {
  'test/load.test.js': [
    "const assert = require('node:assert');",
    "const test = require('node:test');",
    "test('the package can be loaded', () => assert.ok(require('../index.js').program));",
    '',
  ].join('\n'),
};

/** By Node's own runner. */
export const TEST_COMMAND = [process.execPath, '--test'];

/** What files must have: the line that they are about, the same as it is mended, or not that. */
export type Wanted = 'line' | 'mended' | 'unmarked';

/** The test that asks for it. */
export function testOf(files: readonly FileOfTask[], wanted: Wanted): { path: string; text: string } {
  const lines = files.map(({ path, line, mended }) => {
    const text = JSON.stringify(wanted === 'line' ? line.text : mended);
    const isThere = wanted !== 'unmarked';
    return `  assert.equal(readFileSync('${path}', 'utf8').includes(${text}), ${isThere}, '${path}');`;
  });
  const name = files.map(({ path }) => path.replace(/\W/g, '-')).join('-');
  return {
    path: `test/${name}.test.js`,
    text: [
      "const assert = require('node:assert');",
      "const { readFileSync } = require('node:fs');",
      "const test = require('node:test');",
      "test('nothing is left undone', () => {",
      ...lines,
      '});',
      '',
    ].join('\n'),
  };
}

export const asMended = ({ path, line, mended }: FileOfTask) => ({
  name: 'edit_file',
  input: { path, old: line.text, new: mended },
});

/** After which the line does not stand there as it did. */
export const asBroken = ({ path, line }: FileOfTask) => ({
  name: 'edit_file',
  input: { path, old: line.text, new: line.text.replace(/;$/, ' ;') },
});
