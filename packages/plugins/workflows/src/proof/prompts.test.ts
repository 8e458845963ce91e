import { expect, it } from 'vitest';
import { provePrompt } from './prompts.ts';

it('a claim that is too long is cut between characters, and says how much is left out', () => {
  const claim = `a${'😀'.repeat(15_000)}`;
  const prompt = provePrompt({ kind: 'fails', claim, context: { root: claim } });
  expect(prompt).not.toMatch(/\p{Surrogate}/u);
  expect(prompt.match(/of 30001 characters left out/g)).toHaveLength(2);
});
