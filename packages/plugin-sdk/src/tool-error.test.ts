import { describe, expect, it, vi } from 'vitest';
import { isToolError, ToolError } from './tool-error.ts';

describe('a tool error', () => {
  it('holds code, message, detail and cause', () => {
    const cause = new Error('ENOENT');
    const error = new ToolError('NEXUS_NOT_FOUND', 'no such file', { detail: { path: 'a.ts' }, cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'ToolError',
      code: 'NEXUS_NOT_FOUND',
      message: 'no such file',
      detail: { path: 'a.ts' },
      cause,
    });
  });

  it('has no cause of its own making', () => {
    expect('cause' in new ToolError('NEXUS_NOT_FOUND', 'no such file')).toBe(false);
    expect(new ToolError('NEXUS_NOT_FOUND', 'no such file').detail).toBeUndefined();
  });

  it('is known as one when a plugin brought its own copy of the SDK', async () => {
    vi.resetModules();
    const copy = await import('./tool-error.ts');
    const error = new copy.ToolError('NEXUS_CONFLICT', 'twice');
    expect(error).not.toBeInstanceOf(ToolError);
    expect(isToolError(error)).toBe(true);
  });

  it.each([
    ['an error of another name', Object.assign(new Error('x'), { code: 'NEXUS_NOT_FOUND' })],
    ['an error without a code', Object.assign(new Error('x'), { name: 'ToolError' })],
    ['an error whose code is no text', Object.assign(new Error('x'), { name: 'ToolError', code: 7 })],
    ['an object that looks like one', { name: 'ToolError', code: 'NEXUS_NOT_FOUND', message: 'x' }],
    ['nothing', undefined],
  ])('is not %s', (_, value) => {
    expect(isToolError(value)).toBe(false);
  });
});
