import type { ConversationTool } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedGenerate } from '../test/scripted-generate.ts';
import { answerObject } from './answer-object.ts';

const schema = z.object({ holds: z.boolean() });
const caller = { signal: new AbortController().signal };
const readFile: ConversationTool = {
  name: 'read_file',
  description: 'Reads.',
  inputSchema: { type: 'object' },
  isReadOnly: true,
  call: async () => ({ content: [{ type: 'text', text: '7\tif (total < 0) throw' }] }),
};
const reading = { tools: [readFile] };

describe('an answer of a form, after reading', () => {
  it('lets the model use its tools first, and says which it used', async () => {
    const { generate, requests } = scriptedGenerate([[['read_file', { path: 'a.ts' }]], '{"holds": true}']);
    const asked = { schema, reading, system: 'You judge.', prompt: 'Is it so?' };
    expect(await answerObject(asked, generate, caller)).toMatchObject({
      value: { holds: true },
      wasRepaired: false,
      usage: { inputTokens: 20 },
      toolCalls: [{ name: 'read_file', isError: false }],
    });
    expect(requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
      ['read_file'],
      ['read_file'],
    ]);
    expect(requests[0]?.system).toMatch(/^You judge\.\n\n[\s\S]*"holds"/);
    expect(JSON.stringify(requests[1]?.prompt)).toContain('if (total < 0) throw');
  });

  it('gives an answer of another form back with all that was read, in a step of its own', async () => {
    const { generate, requests } = scriptedGenerate([
      [['read_file', { path: 'a.ts' }]],
      'It holds.',
      '{"holds": true}',
    ]);
    const steps: string[] = [];
    const kept = {
      model: async <T>(turn: number, work: (step: typeof caller) => Promise<T>) => {
        steps.push(`model ${turn}`);
        return work(caller);
      },
      tool: async <T>(turn: number, _: unknown, work: (step: typeof caller) => Promise<T>) => {
        steps.push(`tool ${turn}`);
        return work(caller);
      },
    };
    const asked = { schema, reading: { ...reading, steps: kept }, prompt: 'Is it so?' };
    const answer = await answerObject(asked, generate, caller);
    expect(answer).toMatchObject({ value: { holds: true }, wasRepaired: true, usage: { inputTokens: 30 } });
    expect(steps).toEqual(['model 1', 'tool 1', 'model 2', 'model 3']);
    const [first, , repair] = requests;
    expect(repair).toMatchObject({ system: first?.system, tools: first?.tools });
    expect(JSON.stringify(repair?.prompt)).toMatch(/if \(total < 0\) throw[\s\S]*does not have the form/);
  });

  it('must answer in the form once it has spent its calls', async () => {
    const { generate } = scriptedGenerate([[['read_file', {}]], '{"holds": false}']);
    const asked = { schema, reading: { ...reading, maxSteps: 1 }, prompt: 'Is it so?' };
    expect(await answerObject(asked, generate, caller)).toMatchObject({ value: { holds: false } });
  });
});
