import type { PromptDefinition } from '@nexus/plugin-sdk';
import type { Self } from '../self-plugin.ts';
import { pointTo } from './available.ts';

const DEPTHS = ['overview', 'thorough'];

const FIND = {
  research_discover:
    'Find papers and repositories with research_discover; name what stands in its failedSources.',
};

/** What each tool is for here, where it is there. */
const STEPS = [
  { research_query: 'See what the project keeps already with research_query.' },
  { memory_query: 'Ask memory_query what earlier sessions found.' },
  {
    research_add:
      'Keep what you rely on with research_add and research_add_source, with the words that you quote. A quote that is refused stands nowhere: leave it out.',
  },
  {
    research_synthesize:
      'Group what is kept with research_synthesize; its sentences are quotes, not findings.',
  },
];

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
    const steps = STEPS.map((step) => pointTo(context, step, '')).filter((step) => step !== '');
    const find = pointTo(context, FIND, 'Use the sources you have, and say which you could not reach.');
    return [
      `Survey: ${topic} (${depth || 'overview'}).`,
      find,
      ...steps,
      'Group what you find by approach. For each: what it claims, the evidence, its limits, and the source with its date.',
      'End with what is agreed, what is disputed, and what nobody has answered.',
    ].join('\n');
  },
};
