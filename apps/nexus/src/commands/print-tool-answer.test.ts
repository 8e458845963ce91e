import { afterEach, expect, it, vi } from 'vitest';
import { printToolAnswer } from './print-tool-answer.ts';

const written = () => {
  const parts: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
    parts.push(String(part));
    return true;
  });
  return parts;
};
afterEach(() => vi.restoreAllMocks());

it('prints the whole text where it begins with the summary: what stands below it is of the answer, too', () => {
  const parts = written();
  const text = 'It adds.\n\n## Faults\n\n- It subtracts.';
  const structuredContent = { summary: 'It adds.', recommendations: ['Mend it. (read)'] };
  printToolAnswer({ content: [{ type: 'text', text }], structuredContent });
  expect(parts.join('')).toBe(`${text}\n`);
});

it('prints summary and recommendations where the text is the structure', () => {
  const parts = written();
  const structuredContent = { summary: 'It adds.', recommendations: ['Keep it.'] };
  const text = JSON.stringify(structuredContent);
  printToolAnswer({ content: [{ type: 'text', text }], structuredContent });
  expect(parts.join('')).toBe('It adds.\n\n- Keep it.\n');
});
