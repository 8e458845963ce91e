import { afterEach, describe, expect, it, vi } from 'vitest';
import { fixtureSubject, fixtureTool } from '../fixture-subject.ts';
import { tokenBudget } from './token-budget.ts';

describe('token-budget', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('finds nothing in a small list', () => {
    expect(tokenBudget.run(fixtureSubject())).toEqual([]);
  });

  it('finds a list that costs too much, and names the largest tools', () => {
    const long = fixtureTool({ name: 'tell_all', description: 'many different words '.repeat(8000) });
    expect(tokenBudget.run(fixtureSubject({ tools: [fixtureTool(), long] }))).toMatchObject([
      {
        what: expect.stringMatching(
          /^the definitions of 2 tools cost 2\d{4} tokens; .* tell_all 2\d{4}, count_words \d{2,3}$/,
        ),
      },
      { what: expect.stringMatching(/^names, descriptions and input schemas of 2 tools cost 2\d{4} tokens/) },
    ]);
  });

  it('finds one of which models read too much, though the whole would fit', () => {
    const long = fixtureTool({ name: 'tell_all', description: 'many different words '.repeat(4300) });
    expect(tokenBudget.run(fixtureSubject({ tools: [fixtureTool(), long] }))).toMatchObject([
      { what: expect.stringMatching(/^names, descriptions and input schemas .* allowed are 12250/) },
    ]);
  });

  it('keeps what one plugin takes free, until one is added', () => {
    const long = fixtureTool({ name: 'tell_all', description: 'word '.repeat(12_270) });
    const subject = fixtureSubject({ tools: [long] });
    expect(tokenBudget.run(subject)).toMatchObject([
      { fix: expect.stringContaining('250 tokens are kept for a plugin that is added') },
    ]);
    vi.stubEnv('NEXUS_PLUGIN_ADDED', '1');
    expect(tokenBudget.run(subject)).toEqual([]);
  });

  it('does not pass when there is no tool', () => {
    expect(tokenBudget.run(fixtureSubject({ tools: [] }))).toMatchObject([{ what: 'looked at no tools' }]);
  });
});
