import { type Log, ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it, vi } from 'vitest';
import { answerFailure } from './answer-failure.ts';
import { ERROR_META_KEY, toErrorResult } from './envelope.ts';
import { failureOfError, failureOfResult } from './failure.ts';
import { JSON_RPC, ProtocolError } from './protocol-error.ts';
import { errorTable, isKnownCode, type KnownErrorCode } from './table.ts';

const CATEGORIES = [
  'validation',
  'not_found',
  'permission',
  'rate_limited',
  'timeout',
  'unavailable',
  'conflict',
  'business',
  'internal',
];
const entries = Object.entries(errorTable) as [KnownErrorCode, (typeof errorTable)[KnownErrorCode]][];

describe('the error table', () => {
  it.each(entries)('has a sound entry for %s', (code, { category, retryable, text }) => {
    expect(code).toMatch(/^NEXUS_[A-Z]+(_[A-Z]+)*$/);
    expect(CATEGORIES).toContain(category);
    expect(typeof retryable).toBe('boolean');
    expect(text).toMatch(/^[A-Z].{20,}\.$/);
  });

  it('uses every category', () => {
    expect(new Set(entries.map(([, { category }]) => category))).toEqual(new Set(CATEGORIES));
  });

  it('knows its codes and nothing that objects inherit', () => {
    expect(isKnownCode('NEXUS_TIMEOUT')).toBe(true);
    expect(isKnownCode('NEXUS_NO_SUCH')).toBe(false);
    expect(isKnownCode('constructor')).toBe(false);
  });

  it.each(entries.filter(([, { category }]) => category !== 'internal'))(
    'lets %s leave as a result with its category',
    (code, { category, retryable }) => {
      expect(toErrorResult(new ToolError(code, 'what happened'))).toEqual({
        content: [{ type: 'text', text: 'what happened' }],
        isError: true,
        _meta: { [ERROR_META_KEY]: { code, category, retryable, message: 'what happened' } },
      });
    },
  );
});

describe('a tool error as a result', () => {
  it('carries its detail', () => {
    const result = toErrorResult(new ToolError('NEXUS_CONFLICT', 'twice', { detail: { id: 7 } }));
    expect(result?._meta?.[ERROR_META_KEY]).toMatchObject({ detail: { id: 7 } });
  });

  it('does not exist for an unknown or an internal code', () => {
    expect(toErrorResult(new ToolError('NEXUS_NO_SUCH', 'x'))).toBeUndefined();
    expect(toErrorResult(new ToolError('NEXUS_INTERNAL', 'x'))).toBeUndefined();
  });
});

describe('how a failure is recorded', () => {
  it.each([
    ['a tool error', new ToolError('NEXUS_TIMEOUT', 'slow'), 'NEXUS_TIMEOUT', 'timeout', 'slow'],
    ['an unknown code', new ToolError('NEXUS_NO_SUCH', 'odd'), 'NEXUS_INTERNAL', 'internal', 'odd'],
    ['any error', new TypeError('broken'), 'NEXUS_INTERNAL', 'internal', 'broken'],
    ['no error at all', 'thrown text', 'NEXUS_INTERNAL', 'internal', 'thrown text'],
    ['a protocol error', new ProtocolError(JSON_RPC.invalidParams, 'bad'), '-32602', 'protocol', 'bad'],
  ])('for %s', (_, error, code, category, message) => {
    expect(failureOfError(error)).toEqual({ code, category, message });
  });

  it.each([
    ['a module that can’t be read', 'EMFILE', 'open', 'open no more files now (EMFILE)'],
    ['a program that can’t be started', 'EAGAIN', 'spawn /bin/rg', 'start no more programs now (EAGAIN)'],
  ])('for %s since the system is out of what it takes', (_, code, syscall, words) => {
    const thrown = new Error('no plugin', { cause: Object.assign(new Error(code), { code, syscall }) });
    const failure = failureOfError(thrown);
    expect(failure).toMatchObject({ code: 'NEXUS_UNAVAILABLE', category: 'unavailable' });
    expect(failure.message).toContain(words);
    const error = vi.fn();
    const answer = answerFailure({ name: 'a_tool', plugin: 'p' }, thrown, {
      log: { error } as unknown as Log,
      redact: (value) => value,
    });
    expect(answer).toMatchObject({ isError: true, content: [{ text: failure.message }] });
    expect(error).not.toHaveBeenCalled();
  });

  it('is internal for other errors of the system', () => {
    for (const [code, syscall] of [
      ['EAGAIN', 'read'],
      ['EBADF', 'write'],
      ['ENOENT', 'spawn'],
    ])
      expect(failureOfError(Object.assign(new Error('x'), { code, syscall })).code).toBe('NEXUS_INTERNAL');
  });

  it('takes the envelope of a result that came with one', () => {
    const result = toErrorResult(new ToolError('NEXUS_NOT_FOUND', 'gone'));
    expect(result && failureOfResult(result)).toEqual({
      code: 'NEXUS_NOT_FOUND',
      category: 'not_found',
      message: 'gone',
    });
  });

  it('has a code of its own for a foreign result without one', () => {
    const content = [{ type: 'image' }, { type: 'text', text: 'disk full' }];
    expect(failureOfResult({ content, isError: true })).toEqual({
      code: 'NEXUS_TOOL_FAILED',
      category: 'business',
      message: 'disk full',
    });
    expect(failureOfResult({ content: [], isError: true })?.message).toBe('');
    expect(failureOfResult({ content, isError: true, _meta: { [ERROR_META_KEY]: 'odd' } })?.code).toBe(
      'NEXUS_TOOL_FAILED',
    );
  });

  it('is nothing for a success', () => {
    expect(failureOfResult({ content: [] })).toBeUndefined();
    expect(failureOfResult({ content: [], isError: false })).toBeUndefined();
  });
});
