import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { declarationsIn } from './declarations.ts';
import { LANGUAGES, languageOf, requireLanguage } from './languages.ts';
import { createParsers } from './parsers.ts';

const FIXTURES = join(import.meta.dirname, '../../test/fixtures');
const parsers = createParsers(1_024 * 1_024);

/** `line-endLine kind parent.name: signature`, with a star before what is local. */
async function symbolsOf(fixture: string): Promise<string[]> {
  const language = requireLanguage(fixture);
  const text = readFileSync(join(FIXTURES, `${fixture}.txt`), 'utf8');
  return declarationsIn(text, language, await parsers.load(language)).map(
    ({ symbol, isLocal }) =>
      `${isLocal ? '*' : ''}${symbol.line}-${symbol.endLine} ${symbol.kind} ${symbol.parent ?? ''}.${symbol.name}: ${symbol.signature}`,
  );
}

describe('symbols by language', () => {
  it('has a fixture for every language', () => {
    const fixtures = readdirSync(FIXTURES).map((name) => languageOf(name.replace(/\.txt$/, '')));
    expect(LANGUAGES.filter((language) => !fixtures.includes(language)).map(({ name }) => name)).toEqual([]);
  });

  it.each(
    readdirSync(FIXTURES)
      .map((name) => name.replace(/\.txt$/, ''))
      .sort(),
  )('reads %s', async (fixture) => {
    expect(await symbolsOf(fixture)).toMatchSnapshot();
  });
});
