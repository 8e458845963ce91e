import { expect, it } from 'vitest';
import { viewOf } from './wire-view.ts';

it('tools and what they answered read the same in every wire format', () => {
  const bodies = {
    anthropic: {
      tools: [{ name: 'a__use' }],
      messages: [
        {
          role: 'user',
          content: [{ type: 'tool_result', content: [{ type: 'text', text: 'said' }, { type: 'image' }] }],
        },
      ],
    },
    'openai-chat': {
      tools: [{ type: 'function', function: { name: 'a__use' } }],
      messages: [{ role: 'tool', content: 'said' }],
    },
    'openai-responses': {
      tools: [{ type: 'namespace', name: 'mcp', tools: [{ name: 'a__use' }] }],
      input: [{ type: 'function_call_output', output: [{ type: 'input_text', text: 'said' }] }],
    },
    google: {
      tools: [{ functionDeclarations: [{ name: 'a__use' }] }],
      contents: [{ parts: [{ functionResponse: { response: { output: 'said' } } }] }],
    },
  };
  for (const [wire, body] of Object.entries(bodies)) {
    const { tools, results } = viewOf({ wire: wire as keyof typeof bodies, body });
    expect(tools.map(({ name }) => name)).toEqual(['a__use']);
    expect(results).toHaveLength(1);
    expect(results[0]?.text).toContain('said');
    expect(results[0]?.pictures).toBe(wire === 'anthropic' ? 1 : 0);
  }
});
