import { expect, it } from 'vitest';
import { mistypedTools } from './mistyped-tools.ts';

const tools = ['memory_query', 'search_codebase'];
const config = (permissions: object, toolboxes = {}) => ({ permissions, toolboxes });

it('names what no tool is called, with the nearest', () => {
  const permissions = {
    allow: ['memory_query', 'search_*'],
    deny: ['search_codebas', 'memory_query', 'zzz'],
  };
  expect(mistypedTools(config(permissions), tools)).toEqual([
    'permissions.deny names "search_codebas", and no tool is called that; did you mean search_codebase?',
    expect.stringContaining('permissions.deny names "zzz", and no tool is called that'),
  ]);
});

it('leaves alone what a toolbox may have', () => {
  expect(mistypedTools(config({ deny: ['box__server__tool'] }), tools)).toEqual([]);
  const boxes = { box: {} };
  expect(mistypedTools(config({ deny: ['box*', 'bo*', 'box__s*', '*_x'] }, boxes), tools)).toEqual([]);
  expect(mistypedTools(config({ deny: ['bx*'] }, boxes), tools)).toHaveLength(1);
  const bare = { box: { description: '', autoOpen: false, prefix: false, mcpServers: {} } };
  expect(mistypedTools(config({ deny: ['tool'] }, bare), tools)).toEqual([]);
});

it('looks at what experts must not use, and says nothing of what another file says', () => {
  const written = { permissions: { deny: ['a', 'b'] }, experts: { denyTools: ['memory_querry', 'c'] } };
  expect(
    mistypedTools(written, tools, { permissions: { deny: ['a'] }, experts: { denyTools: ['c'] } }),
  ).toEqual([
    expect.stringContaining('permissions.deny names "b"'),
    'experts.denyTools names "memory_querry", and no tool is called that; did you mean memory_query?',
  ]);
});
