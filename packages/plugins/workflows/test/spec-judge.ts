import type { GenerateRequest } from '@nexus/plugin-sdk';
import { lastText } from './dev-team.ts';

/** Judges of a specification: one requirement alone, or several together, each by what the prompt has of it. */
export function specJudge(
  request: GenerateRequest,
  verdict: (prompt: string) => object,
  contradictions: (prompt: string) => readonly object[] = () => [],
): { readonly object: object } | undefined {
  const prompt = lastText(request);
  if (request.system?.startsWith('You judge whether')) return { object: verdict(prompt) };
  if (!request.system?.startsWith('You judge of each')) return undefined;
  const parts = prompt.split('Data from the requirement ').slice(1);
  const verdicts = parts.map((part) => ({ requirement: part.split(';', 1)[0], ...verdict(part) }));
  return { object: { verdicts, contradictions: contradictions(prompt) } };
}
