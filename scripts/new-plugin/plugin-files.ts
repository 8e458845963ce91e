import type { PluginNames } from './plugin-name.ts';

export interface PluginParts {
  /** A second tool, which is a run. */
  readonly withRun?: boolean;
}

/** The files of a new plugin by path below its folder: one real tool, or two, tested, to be replaced. */
export function pluginFiles(
  names: PluginNames,
  { withRun = false }: PluginParts = {},
): Record<string, string> {
  return {
    'package.json': `${JSON.stringify(manifest(names), null, 2)}\n`,
    'tsconfig.json': '{ "extends": "../../../tsconfig.base.json", "include": ["src", "*.ts"] }\n',
    'vitest.config.ts': "export { unitTests as default } from '../../../vitest.shared.ts';\n",
    'src/index.ts': index(names, withRun),
    'src/index.test.ts': indexTest(names, withRun),
    [`src/${names.toolFile}.ts`]: tool(names),
    [`src/${names.toolFile}.test.ts`]: toolTest(names),
    ...(withRun ? { [`src/${names.runFile}.ts`]: runTool(names) } : {}),
  };
}

function manifest(names: PluginNames): object {
  return {
    name: names.package,
    version: '0.1.0',
    private: true,
    description: `${names.title}: say here in a line what it is for`,
    license: 'MIT',
    type: 'module',
    engines: { node: '>=20.19' },
    exports: { '.': './src/index.ts' },
    scripts: { test: 'vitest run' },
    dependencies: { '@nexus/plugin-sdk': 'workspace:*', zod: 'catalog:' },
    devDependencies: {
      '@nexus/testing': 'workspace:*',
      '@types/node': 'catalog:',
      typescript: 'catalog:',
      vitest: 'catalog:',
    },
  };
}

function index(
  { plugin, toolFile, toolVariable, runFile, runVariable }: PluginNames,
  withRun: boolean,
): string {
  const importRun = withRun ? `\nimport { ${runVariable} } from './${runFile}.ts';` : '';
  const tools = withRun ? [toolVariable, runVariable] : [toolVariable];
  return `import { definePlugin } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { ${toolVariable} } from './${toolFile}.ts';${importRun}

export default definePlugin({
  name: '${plugin}',
  options: z.object({}),
  tools: [${tools.join(', ')}],
  start: async () => undefined,
  async stop() {},
});
`;
}

function indexTest({ variable, tool, runTool: run }: PluginNames, withRun: boolean): string {
  const goodRun = withRun ? `, ${run}: { texts: ['one two', 'three'] }` : '';
  return `import { testPlugin } from '@nexus/testing';
import ${variable} from './index.ts';

testPlugin(${variable}, { goodCalls: { ${tool}: { text: 'one two three' }${goodRun} } });
`;
}

function tool({ tool, toolVariable, title }: PluginNames): string {
  return `import { defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';

export const ${toolVariable} = defineTool({
  name: '${tool}',
  title: '${title}: word count',
  description:
    'Counts the words and characters of a text, where a limit is given in words. Does not count tokens and opens no file.',
  input: z.object({ text: z.string().max(100_000).describe('The text to count.') }),
  output: z.object({ words: z.int(), characters: z.int() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ text }) {
    return { words: text.match(/\\S+/g)?.length ?? 0, characters: text.length };
  },
});
`;
}

function toolTest({ variable, tool }: PluginNames): string {
  return `import { type PluginUnderTest, startPlugin } from '@nexus/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import ${variable} from './index.ts';

let plugin: PluginUnderTest;
beforeAll(async () => {
  plugin = await startPlugin(${variable});
});
afterAll(() => plugin.stop());

describe('${tool}', () => {
  it('counts words, however they are parted', async () => {
    expect(await plugin.answer('${tool}', { text: ' one\\ttwo\\nthree ' })).toEqual({
      words: 3,
      characters: 15,
    });
  });

  it('counts none in an empty text', async () => {
    expect(await plugin.answer('${tool}', { text: '' })).toEqual({ words: 0, characters: 0 });
  });
});
`;
}

/** Its good call, which the plugin's test makes, is made under a key, made again, and resumed: all of it is one run. */
function runTool({ runTool: name, runVariable, title }: PluginNames): string {
  return `import { defineRunTool } from '@nexus/plugin-sdk';
import { z } from 'zod';

export const ${runVariable} = defineRunTool({
  name: '${name}',
  title: '${title}: survey of texts',
  description:
    'Surveys many texts as a run that outlives its server: each is looked at in a step of its own, which is done once. Answers how long the longest is; keeps no text.',
  input: z.object({
    texts: z.array(z.string().max(100_000)).min(1).max(100).describe('The texts to survey.'),
  }),
  output: z.object({ longest: z.int() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  budget: 'pipeline',
  titleOf: ({ texts }) => \`Survey \${texts.length} texts\`,
  // Counts up with each change of what its steps come to.
  version: 1,
  async run({ texts }, run) {
    const lengths = await run.parallel(
      texts.map((text, at) => () => run.step(\`text-\${at}\`, () => text.length)),
    );
    return { longest: Math.max(...lengths) };
  },
});
`;
}
