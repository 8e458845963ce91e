import { mkdir, writeFile } from 'node:fs/promises';
import { fakeServer } from '@nexus/testing';
import { expect } from 'vitest';
import type { HostSession } from '../harness/session.ts';
import { shareProject } from '../harness/shared-project.ts';
import { openToolbox } from '../harness/toolboxes.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Answer = any;

const TOOL = 'box__it__say';
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const WORKFLOW = {
  name: 'says',
  description: 'Has it said.',
  inputs: [
    { name: 'text', description: 'What is said.', type: 'string' },
    { name: 'picture', description: 'Beside it.', type: 'string', default: '' },
  ],
  steps: [
    {
      id: 'say',
      uses: `tool:${TOOL}`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: expressions of workflows
      with: { text: '${{ inputs.text }}', picture: '${{ inputs.picture }}' },
    },
  ],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of workflows
  outputs: { said: '${{ steps.say.output }}' },
};
const TEMPLATE = '.nexus/workflows/says.yaml';

const textsOf = (result: Answer): string[] => result.content.map(({ text = '' }: Answer) => text);
const lastOf = (result: Answer) => textsOf(result).at(-1);

/** Each way to have a text said, and the text as it came. */
const WAYS: Readonly<Record<string, (session: HostSession, text: string) => Promise<unknown>>> = {
  directly: async (session, text) => lastOf((await session.call(TOOL, { text })).result),
  use_tool: async (session, text) =>
    lastOf((await session.call('use_tool', { tool: TOOL, arguments: { text } })).result),
  'use_tool, all of it picked': async (session, text) =>
    lastOf((await session.call('use_tool', { tool: TOOL, arguments: { text }, pick: ['rows'] })).result),
  'use_tool, a page': async (session, text) =>
    lastOf(
      (await session.call('use_tool', { tool: TOOL, arguments: { text }, pick: ['rows'], limit: 1_000 }))
        .result,
    ),
  bundle: async (session, text) => opOf(await session.call('bundle', { ops: [{ tool: TOOL, text }] })),
  'bundle, all of it picked': async (session, text) =>
    opOf(await session.call('bundle', { ops: [{ tool: TOOL, text, pick: ['rows'] }] })),
  'a step of a workflow': async (session, text) =>
    (await session.call('run_workflow', { template: TEMPLATE, inputs: { text } })).result.structuredContent
      .output.said.text,
  'a job': async (session, text) => {
    const begun = await session.call('run_workflow', {
      template: TEMPLATE,
      inputs: { text },
      dispatch: 'async',
    });
    const { jobId } = begun.result.structuredContent;
    for (;;) {
      const { result } = await session.call('get_job_result', { jobId });
      if (!/queued|working/.test(result.structuredContent.status ?? '')) {
        return result.structuredContent.result.output.said.text;
      }
    }
  },
};

/** What a model reads of one call of a bundle; its structure says the same, as its text where it would be rounded. */
function opOf({ result }: Answer): string {
  const [, ...lines] = result.content[0].text.split('\n');
  const [op] = result.structuredContent.results;
  const text = lines.join('\n');
  expect(typeof op.result === 'string' ? op.result : op.result).toEqual(
    typeof op.result === 'string' ? text : JSON.parse(text),
  );
  return text;
}

/** JSON as servers write it, of numbers that JavaScript does not write so. */
function rowsOf(count: number, seed: number): string {
  const digits = (at: number, length: number) =>
    Array.from({ length }, (_, place) => ((at * 7 + place * 3 + seed) % 9) + 1).join('');
  const forms = [
    (at: number) => digits(at, 17),
    (at: number) => `-${digits(at, 25)}`,
    (at: number) => `${at}.10`,
    (at: number) => `${at}.${digits(at, 20)}`,
    (at: number) => `1.${digits(at, 3)}e${(at % 30) + 1}`,
    (at: number) => `${at}E-3`,
    () => '-0',
    (at: number) => String(at),
  ];
  const row = (at: number) =>
    `{"id":${forms[(at + seed) % forms.length]?.(at)},"text":"${digits(at, 18)} \\" 1.10"}`;
  return `{"rows":[${Array.from({ length: count }, (_, at) => row(at)).join(',')}]}`;
}

const heldBy = (seeds: readonly number[]) => async () => {
  await using project = await shareProject({
    config: {
      limits: { callsPerSecond: 10_000, burst: 10_000 },
      toolboxes: { box: { description: 'One server.', mcpServers: { it: fakeServer({ says: true }) } } },
    },
  });
  await mkdir(`${project.root}/.nexus/workflows`, { recursive: true });
  await writeFile(`${project.root}/${TEMPLATE}`, JSON.stringify(WORKFLOW));
  const { session } = await project.host();
  await openToolbox(session, 'box');
  for (const seed of seeds) {
    const text = rowsOf(8 + (seed % 5) * 20, seed);
    for (const [way, ask] of Object.entries(WAYS)) {
      expect([seed, way, await ask(session, text)]).toEqual([seed, way, text]);
    }
  }
  // What is no text is not lost on the way either.
  const inputs = { text: 'one', picture: PIXEL };
  const { result } = await session.call('run_workflow', { template: TEMPLATE, inputs });
  expect(result.structuredContent.output.said).toEqual({
    text: 'one',
    'nexus/content': [{ type: 'image', data: PIXEL, mimeType: 'image/png' }],
  });
};

verifiesApp('answers.digits', 'by every way that a call can be made', heldBy([1, 2]), 120_000);
slowlyVerifiesApp(
  'answers.digits',
  'by every way that a call can be made, forty times',
  heldBy(Array.from({ length: 40 }, (_, seed) => seed)),
  600_000,
);
