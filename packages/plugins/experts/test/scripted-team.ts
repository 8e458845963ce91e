import type { GenerateRequest, ModelBlock } from '@nexus/plugin-sdk';
import { type ScriptedAnswer, scriptedModels } from '@nexus/testing';

/** Who is asked, by the prompt that its role has. */
export type Asked = 'planner' | 'reviewer' | 'writer' | 'expert';

export function askedOf({ system = '' }: GenerateRequest): Asked {
  const role = system.slice(system.indexOf('\n\nYou ') + 1).trimStart();
  if (role.startsWith('You plan')) return 'planner';
  if (role.startsWith('You review')) return 'reviewer';
  return role.startsWith('You write') ? 'writer' : 'expert';
}

/** The last message that the model got, as text. */
export function promptOf({ prompt }: GenerateRequest): string {
  return typeof prompt === 'string' ? prompt : (prompt.at(-1)?.content ?? []).flatMap(textOf).join('\n');
}

function textOf(block: ModelBlock): string[] {
  if (block.type === 'text') return [block.text];
  return block.type === 'tool_result' ? block.content.flatMap((each) => textOf(each)) : [];
}

/** A team that plans what is given, and passes everything unless told otherwise. */
export function scriptedTeam(
  plan: object | readonly object[],
  also: Partial<Record<Asked, (request: GenerateRequest, count: number) => ScriptedAnswer>> = {},
) {
  const counts: Record<Asked, number> = { planner: 0, reviewer: 0, writer: 0, expert: 0 };
  const plans = Array.isArray(plan) ? plan : [plan];
  return scriptedModels((request) => {
    const asked = askedOf(request);
    counts[asked] += 1;
    const count = counts[asked];
    const own = also[asked]?.(request, count);
    if (own !== undefined) return own;
    switch (asked) {
      case 'planner':
        return { object: plans[Math.min(count, plans.length) - 1] };
      case 'reviewer':
        return { object: { passes: true, feedback: '' } };
      case 'writer':
        return { object: { summary: 'All is well.', recommendations: ['Keep it.'] } };
      case 'expert':
        return `expert answer ${count}`;
    }
  });
}
