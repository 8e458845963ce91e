import { describe, expect, it } from 'vitest';
import { chooseTemplate } from './choose-template.ts';
import { pipelines, stagesOf } from './templates.ts';

describe('the choice of a template', () => {
  it.each([
    ['Fix the crash in the parser', 'dev'],
    ['Implement a rate limiter', 'dev'],
    ['Renames the function everywhere', 'dev'],
    ['Audit our authentication for vulnerabilities', 'audit'],
    ['Assess the licences', 'audit'],
    ['Build an MVP from scratch', 'greenfield'],
    ['Write a poem about autumn', 'general'],
    ['', 'general'],
  ])('of %j is %s', (task, template) => {
    expect(chooseTemplate(task).template).toBe(template);
  });

  it('is told with the words that it rests on, and what speaks for another', () => {
    const { why, scores } = chooseTemplate('Fix the security bug');
    expect(why).toBe("The task's words speak for it: fix +3, bug +3, in all 6, against 3 for audit.");
    expect(scores.find(({ template }) => template === 'audit')).toEqual({
      template: 'audit',
      score: 3,
      words: ['security +3'],
    });
  });

  it('counts a word once, and not within another', () => {
    expect(chooseTemplate('fix fix fix').scores[0]?.score).toBe(3);
    expect(chooseTemplate('The prefix of a suffix, in additional addresses').scores[0]?.score).toBe(0);
  });

  it('is left to nobody’s liking where two speak as much for it', () => {
    const { template, why } = chooseTemplate('fix security');
    expect(template).toBe('general');
    expect(why).toContain('as much for dev as for audit (3)');
  });
});

describe.each(pipelines.map((template) => ({ ...template })))('the template $name', (template) => {
  it.each([false, true])('needs only stages that come before, with quickMode %s', (quickMode) => {
    const stages = stagesOf(template, quickMode);
    const seen = new Set<string>();
    for (const { id, needs } of stages) {
      expect(needs.filter((need) => !seen.has(need))).toEqual([]);
      seen.add(id);
    }
    expect(seen.size).toBe(stages.length);
  });

  it('has fewer stages in quick mode', () => {
    expect(stagesOf(template, true).length).toBeLessThan(stagesOf(template, false).length);
  });
});
