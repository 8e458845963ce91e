import { describe, expect, it } from 'vitest';
import { startProject } from '../test/start-project.ts';

const FILES = {
  'lib/application.js': `var compileETag = require('./utils').compileETag;
var debug = require('debug')('app');
const { setCharset } = require('./utils');
var app = exports = module.exports = {};

app.use = function use(fn) {
  return compileETag(fn);
};
`,
  'lib/view.js': `function View(name) {}

View.prototype.lookup = function lookup(name) {
  return name;
};
`,
  'lib/utils.js': `exports.compileETag = function (value) {
  return value;
};
exports.setCharset = (type) => type;
`,
};

interface Symbols {
  symbols: { name: string; parent: string | null }[];
}
interface Usages {
  definition: { file: string; line: number } | null;
  otherDefinitions: string[];
  references: { file: string; line: number; as: string }[];
}

describe('functions that are kept in members', () => {
  it('are symbols of their file, and what is required from elsewhere is none', async () => {
    await using project = await startProject(FILES);
    const { symbols } = await project.answer<Symbols>('extract_symbols', { filePath: 'lib/application.js' });
    expect(symbols.map(({ name, parent }) => [parent, name])).toEqual([
      [null, 'app'],
      ['app', 'use'],
    ]);
  });

  it.each([
    ['lib/application.js', 'app.use', '6\tapp.use = function use(fn) {\n7\t'],
    ['lib/application.js', 'use', '6\tapp.use = '],
    ['lib/view.js', 'View.lookup', '3\tView.prototype.lookup = '],
    ['lib/utils.js', 'compileETag', '1\texports.compileETag = '],
  ])('are read by name: of %s, %s', async (path, symbol, begins) => {
    await using project = await startProject(FILES);
    const { content } = await project.call('read_file', { path, symbol });
    expect(content[0]?.text).toContain(begins);
  });

  it.each([
    ['lookup', 'lib/view.js', 3],
    ['compileETag', 'lib/utils.js', 1],
    ['setCharset', 'lib/utils.js', 4],
  ])('are where %s is defined, and a require is an import', async (symbol, file, line) => {
    await using project = await startProject(FILES);
    const { definition, otherDefinitions, references } = await project.answer<Usages>('search_usages', {
      symbol,
    });
    expect(definition).toMatchObject({ file, line });
    expect(otherDefinitions).toEqual([]);
    const required = references.filter((each) => each.file === 'lib/application.js' && each.line < 4);
    expect(required.every(({ as }) => as === 'import')).toBe(true);
    expect(required.length > 0).toBe(symbol !== 'lookup');
  });
});
