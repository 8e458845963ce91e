import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fixtureSubject, fixtureTool } from '../fixture-subject.ts';
import { configJsonSchema } from './config-schema.ts';
import { configurationPage } from './configuration-page.ts';
import { errorsPage } from './errors-page.ts';
import { toolsPage } from './tools-page.ts';

describe('docs/tools.md', () => {
  it('shows a tool whole: text, hints, budget, arguments, answer', () => {
    const text = toolsPage(fixtureSubject().plugins);
    expect(text).toContain('## words\n\n### count_words\n\n**Count words.** Counts the words of a text.');
    expect(text).toContain('readOnlyHint yes, destructiveHint no');
    expect(text).toContain('Budget: interactive, 60 s.');
    expect(text).toContain(
      '| `text` | text, at most 1000 characters | required | The text to count the words of. |',
    );
    expect(text).toContain('| Answer | Type | What it is |\n| --- | --- | --- |\n| `words` | integer |  |');
  });

  it('shows a default, and a tool without arguments', () => {
    const limit = z.int().min(1).max(9).default(3).describe('How many | at most.');
    const tools = [
      fixtureTool({ name: 'a', input: z.object({ limit }) }),
      fixtureTool({ name: 'b', input: z.object({}) }),
    ];
    const text = toolsPage(fixtureSubject({ tools }).plugins);
    expect(text).toContain('| `limit` | integer, 1 to 9 | `3` | How many \\| at most. |');
    expect(text).toContain('Takes no arguments.');
  });
});

describe('a tool with whole results in docs/tools.md', () => {
  it('says that it has no schema of its own', () => {
    const text = toolsPage(fixtureSubject({ tools: [fixtureTool({ answersWholeResult: true })] }).plugins);
    expect(text).toContain('Answers with content as it is, without a schema');
  });
});

describe('docs/errors.md', () => {
  it('has a row for each code', () => {
    expect(errorsPage()).toContain('| `NEXUS_RATE_LIMITED` | rate_limited | yes |');
  });
});

describe('docs/configuration.md', () => {
  it('has nested keys, plugin sections and environment variables', () => {
    const text = configurationPage(fixtureSubject());
    expect(text).toContain(
      '| `server.name` | text, at most 64 characters | `"nexus"` | The name hosts see. |',
    );
    expect(text).toContain('| `words.maxWords` | integer, at least 1 | `100` | Longer texts are refused. |');
    expect(text).toContain('| `NEXUS_CONFIG` |');
  });

  it('has the keys of what stands under any name', () => {
    const Settings = z.strictObject({ enabled: z.boolean().default(true).describe('Whether it is on.') });
    const configSchema = z.object({
      tools: z.record(z.string(), Settings).default({}).describe('Per tool.'),
    });
    expect(configurationPage({ configSchema, plugins: [] })).toContain(
      '| `tools.<name>.enabled` | boolean |',
    );
  });
});

describe('the config’s JSON Schema', () => {
  it('refuses an unknown key of a section, and leaves room for sections of other plugins', () => {
    const schema = configJsonSchema(fixtureSubject());
    expect(schema).not.toHaveProperty('additionalProperties');
    expect(schema.properties).toMatchObject({
      server: { additionalProperties: false },
      words: { additionalProperties: false, description: 'Options of the plugin words.' },
    });
  });
});
