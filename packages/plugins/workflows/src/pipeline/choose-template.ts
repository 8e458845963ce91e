import type { PipelineName, PipelineTemplate } from './stages.ts';
import { pipelines } from './templates.ts';

/** What speaks for a template: the words of the task that it knows, and their weights. */
export interface TemplateScore {
  readonly template: PipelineName;
  readonly score: number;
  /** Such as `fix +3`. */
  readonly words: readonly string[];
}

export interface Choice {
  readonly template: PipelineName;
  readonly why: string;
  readonly scores: readonly TemplateScore[];
}

/** The template that a task's own words speak for, and why; the one that the user names wins. */
export function chooseTemplate(task: string, named?: PipelineName): Choice {
  const words = task.toLowerCase().match(/[a-z]+/g) ?? [];
  const scores = pipelines.map((template) => scoreOf(template, words));
  if (named !== undefined) return { template: named, why: `You named "${named}".`, scores };
  const [best, second] = [...scores].sort((a, b) => b.score - a.score);
  if (!best || best.score === 0) {
    return { template: 'general', why: 'No word of the task speaks for another one.', scores };
  }
  if (second && second.score === best.score) {
    const tied = scores.filter(({ score }) => score === best.score).map(({ template }) => template);
    const why = `The task's words speak as much for ${tied.join(' as for ')} (${best.score}). Name one as template to have it.`;
    return { template: 'general', why, scores };
  }
  const against = second && second.score > 0 ? `, against ${second.score} for ${second.template}` : '';
  const why = `The task's words speak for it: ${best.words.join(', ')}, in all ${best.score}${against}.`;
  return { template: best.template, why, scores };
}

/** Each word counts once, however often it stands in the task. */
function scoreOf({ name, words: weights }: PipelineTemplate, words: readonly string[]): TemplateScore {
  const found = Object.entries(weights).filter(([start]) => words.some((word) => isOf(word, start)));
  return {
    template: name,
    score: found.reduce((sum, [, weight]) => sum + weight, 0),
    words: found.map(([start, weight]) => `${start} +${weight}`),
  };
}

/** The word itself and its forms, such as `fixes` and `fixed` of `fix`; short ones would be the start of others. */
function isOf(word: string, start: string): boolean {
  if (!word.startsWith(start)) return false;
  if (start.length >= MIN_STEM_CHARS) return true;
  return ENDINGS.includes(word.slice(start.length));
}

const MIN_STEM_CHARS = 5;
const ENDINGS = ['', 's', 'es', 'd', 'ed', 'ing', 'er'];
