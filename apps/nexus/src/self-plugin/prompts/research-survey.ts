import type { PromptDefinition } from '@nexus/plugin-sdk';
import type { Self } from '../self-plugin.ts';
import { pointTo } from './available.ts';

const DEPTHS = ['overview', 'thorough'];

export const researchSurvey: PromptDefinition<Self> = {
  name: 'research-survey',
  title: 'Survey research',
  description: 'Survey what is known of a topic, with sources and how sure each claim is.',
  arguments: [
    { name: 'topic', description: 'What to survey', required: true },
    {
      name: 'depth',
      description: 'overview or thorough',
      required: false,
      complete: (typed) => DEPTHS.filter((depth) => depth.startsWith(typed)),
    },
  ],
  render({ topic, depth }, context) {
    const find = pointTo(
      context,
      {
        research_discover:
          'Find papers and repositories with research_discover; see what is known with research_query.',
      },
      'Use the sources you have, and say which you could not reach.',
    );
    const memory = pointTo(context, { memory_query: 'Ask memory_query what earlier sessions found.' }, '');
    return [
      `Survey: ${topic} (${depth || 'overview'}).`,
      find,
      ...(memory ? [memory] : []),
      'Group what you find by approach. For each: what it claims, the evidence, its limits, and the source with its date.',
      'End with what is agreed, what is disputed, and what nobody has answered.',
    ].join('\n');
  },
};
