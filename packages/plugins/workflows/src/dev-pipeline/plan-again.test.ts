import { expect, it } from 'vitest';
import { planAgainPrompt } from './prompts.ts';

it('a plan that was voted down is made again with what was said against it, and under which conditions others were for it', () => {
  const ballot = { model: 'm:1', confidence: 1 };
  const objection = { by: 'catfish', evidence: 'a.ts:1', answers: [] } as const;
  const plan = { summary: 'A plan.', tasks: [], risks: [], verification: 'A test.' };
  const prompt = planAgainPrompt('Plan.', plan, {
    votes: [
      { ...ballot, voter: 'pm', decision: 'reject', reasoning: 'Too much.', conditions: ['none'] },
      { ...ballot, voter: 'devex', decision: 'approve', reasoning: 'It fits.', conditions: ['It is told.'] },
    ],
    objections: [
      { ...objection, claim: 'It loses a name.', outcome: 'upheld' },
      { ...objection, claim: 'It is slow.', outcome: 'answered' },
    ],
  });
  for (const said of ['pm: Too much.', 'It loses a name. Evidence: a.ts:1', 'devex approves if: It is told.'])
    expect(prompt).toContain(said);
  for (const not of ['It fits.', 'none', 'It is slow.']) expect(prompt).not.toContain(not);
});
