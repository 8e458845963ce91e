import { place, sourceFiles, withoutComments } from '../../workspace/source-files.ts';
import { type Check, lookedAtNothing } from '../check.ts';
import { listedTools } from '../listed-tools.ts';

const NAME = 'tools-of-plugins';
/** What knows tools, and no tool: which there are is said by the plugins of a config. */
const KNOWS_NONE = /^packages\/(?:core|server)\//;

export const toolsOfPlugins: Check = {
  name: NAME,
  proves:
    'core and server name no tool of a plugin: one that is off, denied or renamed is no concern of theirs',
  run({ workspace, plugins }) {
    const files = sourceFiles(workspace).filter((file) => KNOWS_NONE.test(file));
    // A name of one word, such as `bundle`, is a word of the language too.
    const names = listedTools(plugins)
      .map(({ tool }) => tool.name)
      .filter((name) => name.includes('_'));
    if (files.length === 0) return lookedAtNothing(NAME, 'files');
    if (names.length === 0) return lookedAtNothing(NAME, 'tools');
    const named = new RegExp(`\\b(?:${names.join('|')})\\b`, 'g');
    return files.flatMap((file) => {
      const text = withoutComments(workspace.read(file));
      return [...text.matchAll(named)].map((match) => ({
        check: NAME,
        where: place(file, text, match.index),
        what: `names ${match[0]}, a tool of a plugin`,
        fix: 'say it without the name, or let the tool say it of itself in its definition',
      }));
    });
  },
};
