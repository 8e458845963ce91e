import { toErrorResult } from '@nexus/core';
import { type ToolCallResult, ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { forHosts } from './for-hosts.ts';

const picture = { type: 'image', data: 'aWNvbg==', mimeType: 'image/png' } as const;

describe('a result on its way to a host', () => {
  it('says an error’s message once, in its text', () => {
    const error = new ToolError('NEXUS_NOT_FOUND', 'There is no such thing.', { detail: { nearest: ['x'] } });
    const result = toErrorResult(error) as ToolCallResult;
    expect(forHosts(result)).toEqual({
      content: [{ type: 'text', text: 'There is no such thing.' }],
      isError: true,
      _meta: {
        'nexus/error': {
          code: 'NEXUS_NOT_FOUND',
          category: 'not_found',
          retryable: false,
          detail: { nearest: ['x'] },
        },
      },
    });
  });

  it('keeps a message that its text does not say', () => {
    const result = {
      content: [{ type: 'text' as const, text: 'something else' }],
      isError: true,
      _meta: { 'nexus/error': { code: 'NEXUS_TIMEOUT', message: 'It took too long.' } },
    };
    expect(forHosts(result)).toBe(result);
  });

  it('has a word beside each picture that comes with none', () => {
    expect(forHosts({ content: [picture] }).content).toEqual([
      { type: 'text', text: '[a picture: image/png, 4 bytes]' },
      picture,
    ]);
    const worded = { content: [{ type: 'text' as const, text: 'The icon.' }, picture] };
    expect(forHosts(worded)).toBe(worded);
  });

  it('is left as it is where nothing is said twice and nothing is shown', () => {
    const result = { content: [{ type: 'text' as const, text: 'x' }], _meta: { 'nexus/error': {} } };
    expect(forHosts(result)).toBe(result);
    const odd = { content: [null, { type: 'image' }] } as unknown as ToolCallResult;
    expect(forHosts(odd).content).toHaveLength(3);
  });
});
