import { questionText } from '@nexus/untrusted/shown';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ACTS_OR_HIDES, oddWord } from '../../test/odd-words.ts';
import { repositoryFolder } from '../../test/repository-folder.ts';
import { callLine } from '../chat/show-turn.ts';
import { ConfigError } from '../config/config-fault.ts';
import { expandVariables } from '../config/expansion/index.ts';
import { parseConfig } from '../config/parse.ts';
import { bundledPlugins } from '../plugins/bundled-plugins.ts';
import { shownParts } from './shown-parts.ts';
import { trustQuestion } from './trust-question.ts';

const repository = repositoryFolder();

const environment = { A: 'sh', B: '-c "true";\u202e ./x' };
const PLUGINS = bundledPlugins.filter(({ name }) => name === 'workflows' || name === 'consensus');

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: variables are written like that
const variable = fc.constantFrom('${A}', '${B}', 'x${A}y${B}', '${C:-./evil}', '${A:-./b}');
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: variables are written like that
const long = fc.integer({ min: 100, max: 330 }).map((times) => 'x y'.repeat(times));
const command = fc.array(fc.oneof(oddWord, variable, long), { minLength: 1, maxLength: 6 });
const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/);
const written = fc.record({
  commands: fc.dictionary(name, command, { minKeys: 1, maxKeys: 4 }),
  checks: fc.array(fc.record({ name, command, timeoutMs: fc.integer({ min: 1_000, max: 9_000 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
});

/** The JSON that stands under a heading, by its brackets alone, as a person reads it. */
function under(heading: string, lines: readonly string[]): unknown {
  const from = lines.indexOf(heading) + 1;
  expect(from).toBeGreaterThan(0);
  const to = lines.findIndex((line, at) => at >= from && /^ {2}[}\]]$/.test(line));
  return JSON.parse(lines.slice(from, to + 1).join('\n'));
}

it('commands of pipelines and checks parse back, wherever they are shown, to what would run', () => {
  let ran = 0;
  fc.assert(
    fc.property(written, ({ commands, checks }) => {
      const config = { workflows: { commands }, consensus: { checks } };
      const waiting = repository
        .parts(config, environment)
        .map((part) => ({ ...part, place: repository.top }));
      const lines = shownParts(waiting, {});
      for (const line of lines) expect(line).not.toMatch(ACTS_OR_HIDES);
      const seen = {
        commands: under('sets workflows.commands:', lines),
        checks: under('sets consensus.checks:', lines),
      };
      expect(seen).toEqual({ commands, checks });

      // A dialogue shows a part as `nexus trust` does, or says that it does not, and a yes is then for none of it.
      const asked = trustQuestion(repository.top, waiting);
      for (const part of waiting) {
        const isShown = asked.message.includes(shownParts([part], {}).join('\n'));
        expect(isShown).toBe(asked.parts.includes(part));
      }
      if (asked.parts.length < waiting.length) expect(asked.message).toMatch(/\d more are too long for here/);

      // A chat shows them as arguments of a call, a run as what a yes is for.
      const [, args = ''] = /^\[Calling tool set with args (.*)\]$/.exec(callLine('set', seen)) ?? [];
      expect(JSON.parse(args)).toEqual({ commands, checks });
      const question = questionText({ message: 'May it?', subject: seen, digest: 'd' });
      expect(JSON.parse(question.slice(question.indexOf('\n{')))).toEqual({ commands, checks });

      // What is seen, with the variables of it filled in, is what the plugins are given to run.
      const options = optionsOf(config);
      if (options === undefined) return;
      ran += 1;
      const filled = expandVariables(seen, environment);
      expect({ commands: options.workflows.commands, checks: options.consensus.checks }).toEqual(filled);
    }),
    { numRuns: 200, seed: 19 },
  );
  expect(ran).toBeGreaterThan(150);
});

/** As the plugins get them; undefined where nothing would run, since the config is refused. */
function optionsOf(config: Record<string, unknown>) {
  try {
    const { pluginOptions } = parseConfig(config, { plugins: PLUGINS, environment, source: 'x' });
    return pluginOptions as {
      readonly workflows: { readonly commands: unknown };
      readonly consensus: { readonly checks: unknown };
    };
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}
