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

/** The test that shows it: that files say that they were looked at, or have the line that they are about. */
export function testOf(files: readonly FileOfTask[], holds: boolean): { path: string; text: string } {
  const lines = files.map(({ path, line, mended }) => {
    const wanted = JSON.stringify(holds ? line.text : mended);
    return `  assert.ok(readFileSync('${path}', 'utf8').includes(${wanted}), '${path}');`;
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
