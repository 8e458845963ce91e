import type { ModelBlock, ModelMessage } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { historyFaults } from './history-faults.ts';

const text: ModelBlock = { type: 'text', text: 'x' };
const use = (id: string): ModelBlock => ({ type: 'tool_use', id, name: 't', input: {} });
const result = (toolUseId: string): ModelBlock => ({ type: 'tool_result', toolUseId, content: [] });
const user = (...content: ModelBlock[]): ModelMessage => ({ role: 'user', content });
const assistant = (...content: ModelBlock[]): ModelMessage => ({ role: 'assistant', content });

it.each<[string, ModelMessage[]]>([
  ['one message', [user(text)]],
  ['a use and its result', [user(text), assistant(text, use('a')), user(result('a'))]],
  [
    'two of them and more text',
    [user(text), assistant(use('a'), use('b')), user(result('b'), result('a'), text)],
  ],
])('takes %s', (_, messages) => {
  expect(historyFaults(messages)).toEqual([]);
});

it.each<[string, ModelMessage[], RegExp]>([
  ['nothing', [], /first message/],
  ['a beginning by the assistant', [assistant(text), user(text)], /first message/],
  ['an end by the assistant', [user(text), assistant(text)], /last message/],
  ['an empty message', [user()], /empty/],
  ['a use without its result', [user(text), assistant(use('a')), user(text)], /not answer the tool use a/],
  ['a result without its use', [user(result('a'))], /answers no tool use/],
  [
    'a result too late',
    [user(text), assistant(use('a')), user(text), assistant(text), user(result('a'))],
    /not answer.*answers no/,
  ],
  [
    'a result twice',
    [user(text), assistant(use('a')), user(result('a'), result('a'))],
    /answers no tool use/,
  ],
  [
    'a result after other content',
    [user(text), assistant(use('a')), user(text, result('a'))],
    /before other content/,
  ],
  [
    'an id twice',
    [user(text), assistant(use('a')), user(result('a')), assistant(use('a')), user(result('a'))],
    /used twice/,
  ],
  ['a use by the user', [user(use('a'))], /of the user has a tool use/],
])('refuses %s', (_, messages, fault) => {
  expect(historyFaults(messages).join('; ')).toMatch(fault);
});
