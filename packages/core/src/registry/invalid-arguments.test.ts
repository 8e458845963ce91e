import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fixtureTool } from '../../test/fixture-tools.ts';
import { invalidArguments } from './invalid-arguments.ts';

const tool = fixtureTool({
  name: 'register_worker',
  input: z
    .object({
      name: z.string().min(1).describe('The worker name (e.g., z.ai1)'),
      limits: z
        .object({ timeoutMs: z.number().describe('In milliseconds.') })
        .optional()
        .describe('Limits.'),
      ops: z
        .array(z.object({ tool: z.string().describe('A tool.') }))
        .optional()
        .describe('Operations.'),
      after: z.array(z.string()).default([]).describe('Others.'),
      task: z.string().optional().describe('A task.'),
      planFile: z.string().optional().describe('A plan.'),
    })
    .refine((value) => value.task === undefined || value.planFile === undefined, {
      path: ['planFile'],
      message: 'give task or planFile, not both',
    })
    .refine((value) => value.name !== 'unplanned', { path: ['planFile'], message: 'wanted for this worker' }),
});

function answer(args: Record<string, unknown>) {
  const validation = tool.validate(args);
  if (validation.ok) throw new Error('the arguments are valid');
  return invalidArguments(tool.listing, args, validation.issues);
}

describe('the answer to wrong arguments', () => {
  it('names a missing argument, what it is, the keys that came, and what it needs', () => {
    const error = answer({});
    expect(error.message.split('\n')).toEqual([
      'Invalid arguments for register_worker:',
      '- name: is missing. The worker name (e.g., z.ai1)',
      'Received keys: none',
      'What it needs, with your own values in place of what stands in <>: {"name":"<name>"}',
    ]);
    expect(error.detail).toMatchObject({ receivedKeys: [], example: { name: '<name>' } });
    expect(tool.validate({ name: 'text' }).ok).toBe(true);
  });

  it('shows an optional argument that was given in a wrong form, and none that was not', () => {
    expect(answer({ name: 'w', after: 7 }).message).toMatch(/<>: {"name":"<name>","after":\["<after>"\]}$/);
    expect(answer({ name: 'unplanned' }).message).toMatch(/<>: {"name":"<name>"}$/);
  });

  it('says per path what was wanted, and what the argument is', () => {
    expect(answer({ name: 7 }).message).toContain(
      '- name: Invalid input: expected string, received number. The worker name (e.g., z.ai1)',
    );
  });

  it('describes a nested argument by its own description', () => {
    const { message } = answer({ name: 'w', ops: [{ tool: 1 }], limits: { timeoutMs: 'x' } });
    expect(message).toMatch(/- ops\.0\.tool: .*received number\. A tool\./);
    expect(message).toMatch(/- limits\.timeoutMs: .*received string\. In milliseconds\./);
  });

  it('keeps the rule’s own words for an optional argument that is absent', () => {
    expect(answer({ name: 'unplanned' }).message).toContain('- planFile: wanted for this worker. A plan.');
  });

  it('offers the nearest key for a misspelt one', () => {
    expect(answer({ nmae: 'w' }).message).toContain('- nmae: no such argument; did you mean name?');
    expect(answer({ name: 'w', xyzzy: 1 }).message).toContain('- xyzzy: no such argument\n');
    expect(answer({ nmae: 'w' }).message).not.toContain('Arguments that there are');
  });

  it('names all that there are for a key that is near to none', () => {
    const names = Object.keys(tool.listing.inputSchema.properties as object);
    expect(answer({ name: 'w', xyzzy: 1 }).message).toContain(
      `\nArguments that there are: ${names.join(', ')}\n`,
    );
  });

  it('offers names of the same object for a misspelt key in a nested one', () => {
    const nested = fixtureTool({
      input: z.object({ limits: z.strictObject({ timeoutMs: z.number().optional() }).describe('Limits.') }),
    });
    const args = { limits: { timeoutms: 1, zzz: 2 } };
    const validation = nested.validate(args);
    const message = validation.ok ? '' : invalidArguments(nested.listing, args, validation.issues).message;
    expect(message).toContain('- limits.timeoutms: no such argument; did you mean timeoutMs?');
    expect(message).toContain('- limits.zzz: no such argument\n');
  });

  it('stays short for a call that is wrong in very many places, and says how many', () => {
    const args = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, 1]));
    const error = answer({ ...args, ['x'.repeat(10_000)]: 1 });
    expect(error.message.length).toBeLessThan(3_000);
    expect(error.message).toMatch(/and 98\d more faults/);
    expect(error.message).toMatch(/and 98\d more keys/);
    expect(JSON.stringify(error.detail).length).toBeLessThan(5_000);
  });

  it('looks no name up that it does not list', () => {
    let reads = 0;
    const inputSchema = new Proxy(tool.listing.inputSchema, {
      get: (schema, key) => {
        if (key === 'properties') reads += 1;
        return Reflect.get(schema, key);
      },
    });
    const issues = Array.from({ length: 5_000 }, (_, at) => ({
      path: `k${at}`,
      message: 'no such argument',
    }));
    invalidArguments({ ...tool.listing, inputSchema }, {}, issues);
    expect(reads).toBeLessThan(100);
  });

  it('finds no description on the prototype of objects', () => {
    const issue = { path: '__proto__', message: 'is odd' };
    expect(invalidArguments(tool.listing, {}, [issue]).message).toContain('- __proto__: is odd');
  });
});
