import type { ToolUse } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { terminalPerson } from './terminal-person.ts';

const use: ToolUse = { type: 'tool_use', id: '1', name: 'write\u202efile', input: {} };
const { signal } = new AbortController();

/** A person who types these, one after the other, and then ends the input. */
function typing(...typed: string[]) {
  const written: string[] = [];
  const left = [...typed];
  const lines = {
    question: async (prompt: string) => {
      written.push(prompt);
      return left.shift();
    },
    read: async () => undefined,
    onInterrupt() {},
    close() {},
  };
  return { written, left, person: terminalPerson(lines, (text) => void written.push(text)) };
}

const OTHER = ['abort', 'always', 'yes', 'no way', 'ya', 'yy', '', '1', 'j', 'true', '\u0443', 'constructor'];

describe('a person at the terminal', () => {
  it.each([
    ['y', 'once'],
    ['a', 'always'],
    ['n', 'no'],
    [' Y ', 'once'],
    ['A', 'always'],
  ] as const)('who types %j allows a call %s', async (typed, said) => {
    expect(await typing(typed).person.permit(use, signal)).toBe(said);
  });

  it.each(OTHER)('who types %j is asked again, and has said nothing by that', async (typed) => {
    const { person, written } = typing(typed, 'n');
    expect(await person.permit(use, signal)).toBe('no');
    expect(written.join('')).toContain('That is none of y, a, n.');
  });

  it('who types no more has said no, to each question', async () => {
    expect(await typing('abort').person.permit(use, signal)).toBe('no');
    expect(await typing().person.allowsSampling('s', { messages: [] } as never, signal)).toBe(false);
    const visit = { message: 'Go?', url: 'https://example.com', mode: 'url', elicitationId: '1' } as never;
    expect(await typing().person.elicit('s', visit, signal)).toEqual({ action: 'decline' });
    const form = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: {} } } } as never;
    expect(await typing().person.elicit('s', form, signal)).toEqual({ action: 'cancel' });
  });

  it.each([...OTHER, 'a'])('who types %j lets no server ask the model, visit or confirm', async (typed) => {
    expect(await typing(typed, 'n').person.allowsSampling('s', { messages: [] } as never, signal)).toBe(
      false,
    );
    const visit = { message: 'Go?', url: 'https://example.com', mode: 'url', elicitationId: '1' } as never;
    expect(await typing(typed, 'n').person.elicit('s', visit, signal)).toEqual({ action: 'decline' });
    const bare = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } } as never;
    expect(await typing(typed, 'n').person.elicit('s', bare, signal)).toEqual({ action: 'decline' });
    expect(await typing(typed, 'y').person.elicit('s', bare, signal)).toEqual({
      action: 'accept',
      content: {},
    });
  });

  it('is shown what is odd in a name, a question, a message and an address as escapes', async () => {
    const permitted = typing('n');
    await permitted.person.permit(use, signal);
    const sampled = typing('n');
    const messages = [{ role: 'user', content: { type: 'text', text: '\u009b2J\u200bx' } }];
    await sampled.person.allowsSampling('s\u2066', { messages } as never, signal);
    const asked = typing('n');
    const visit = { message: 'a\nNexus asks: b', url: 'https://example.com/\u202e', mode: 'url' };
    await asked.person.elicit('s\u001b[2J', visit as never, signal);
    const form = typing('/no');
    const requestedSchema = {
      type: 'object',
      properties: { 'n\u001b': { title: 't\u202e', type: 'string' } },
    };
    await form.person.elicit('s', { message: 'm\u0000', requestedSchema } as never, signal);
    const all = [permitted, sampled, asked, form].map(({ written }) => written.join('')).join('');
    expect(all).toContain('write\\u202efile may change something.');
    expect(all).toContain('\\u009b2J\\u200bx');
    expect(all).toContain('a\\nNexus asks: b');
    expect(all).not.toMatch(/(?!\n)[\p{Cc}\u200b\u202a-\u202e\u2066-\u2069]/u);
  });

  it('is asked one thing at a time, whoever asks', async () => {
    const { person, written } = typing('y', 'n');
    const answers = await Promise.all([
      person.permit({ ...use, name: 'one' }, signal),
      person.permit({ ...use, name: 'two' }, signal),
    ]);
    expect(answers).toEqual(['once', 'no']);
    const prompt = 'Allow it? [y]es once, [a]lways this tool, [n]o: ';
    expect(written).toEqual(['one may change something.\n', prompt, 'two may change something.\n', prompt]);
  });
});
