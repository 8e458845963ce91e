import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../workspace/open-workspace.ts';
import { fixtureSubject } from '../fixture-subject.ts';
import { ownSentences } from './own-sentences.ts';

const FILE = 'packages/plugins/bus/src/say.ts';
const TABLE = 'packages/primitives/src/cutting/own-sentences.ts';

async function findings(text: string, table = '') {
  const found = await ownSentences.run(fixtureSubject({ files: { [FILE]: text, [TABLE]: table } }));
  return found.map(({ where, what }) => [where, what]);
}

describe('own-sentences', () => {
  it.each([
    'const said = OWN_SENTENCES.offsetGivesNext(next);',
    "const fit = 'What was filled in does not fit the form.';",
    "const whole = z.string().describe('Lists whose next item has no room here.');",
    "const tool = { description: 'Reads what does not fit.' };",
  ])('finds nothing in %s', async (text) => {
    expect(await findings(text)).toEqual([]);
  });

  it.each([
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what is looked at
    ['const said = `; offset ${next} gives the next`;', '; offset {} gives the next'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what is looked at
    ['const said = `${left} characters do not fit`;', '{} characters do not fit'],
    ["const said = 'read_result reads it';", 'read_result reads it'],
  ])('finds a sentence that is made beside the table: %s', async (text, shown) => {
    expect(await findings(text)).toEqual([[`${FILE}:1`, `makes a sentence of an answer: "${shown}"`]]);
  });

  it('finds a sentence of the table that nothing says', async () => {
    const table =
      'export const OWN_SENTENCES = {\n  next: sentence`the next`,\n  last: sentence`the last`,\n};';
    expect(await findings('say(OWN_SENTENCES.next());', table)).toEqual([
      [TABLE, 'has last, which nothing says'],
    ]);
  });

  it('finds nothing in the repository', async () => {
    expect(await ownSentences.run({ ...fixtureSubject(), workspace: openWorkspace() })).toEqual([]);
  });
});
